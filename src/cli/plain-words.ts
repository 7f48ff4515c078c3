import type { CommonFlags } from './context.ts'

/** What the words of a verb that only reads mean, where nothing about them is in doubt. */
export interface PlainWords {
  readonly verb: ReadingVerb
  readonly turn: string
  readonly flags: CommonFlags & {
    readonly all?: boolean
    readonly line?: boolean
    readonly reveal?: boolean
  }
}

export type ReadingVerb = keyof typeof SWITCHES

/** What can be switched on, by verb. */
const SWITCHES = {
  sessions: ['all'],
  log: [],
  show: ['reveal'],
  tree: [],
  status: ['line'],
} as const
const COMMON = ['json'] as const
const WITH_VALUE = ['session', 'project'] as const

/**
 * Null for everything else: other verbs, help, mistakes, other ways to write the same. That is for
 * `program`, which knows them all; to load it takes longer than these verbs need for their answers.
 */
export function readPlainWords([verb, ...words]: readonly string[]): PlainWords | null {
  if (verb === undefined || !Object.hasOwn(SWITCHES, verb)) return null
  const known = new Set<string>([...SWITCHES[verb as ReadingVerb], ...COMMON])
  const turns: string[] = []
  const flags: Record<string, string | boolean> = {}
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const name = word.slice(2)
    if (!word.startsWith('-')) turns.push(word)
    else if (word === `--${name}` && known.has(name)) flags[name] = true
    else if (WITH_VALUE.some((each) => word === `--${each}`)) {
      const value = words[++at]
      if (value === undefined || value.startsWith('-')) return null
      flags[name] = value
    } else return null
  }
  if (turns.length !== (verb === 'show' ? 1 : 0)) return null
  return { verb: verb as ReadingVerb, turn: turns[0] ?? '', flags }
}
