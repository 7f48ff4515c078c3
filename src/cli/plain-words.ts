import type { CommonFlags } from './context.ts'

/** The parsed words of a verb that only reads. */
export interface PlainWords {
  readonly verb: ReadingVerb
  readonly turn: string
  readonly flags: CommonFlags & {
    readonly all?: boolean
    readonly line?: boolean
    readonly reveal?: boolean
    readonly newestFirst?: boolean
    readonly number?: string
    readonly since?: string
    readonly grep?: string
    readonly files?: string
    readonly agent?: string
  }
}

export type ReadingVerb = keyof typeof SWITCHES

/** Boolean flags by verb. */
const SWITCHES = {
  sessions: ['all'],
  log: ['all', 'newest-first'],
  show: ['reveal'],
  tree: [],
  status: ['line'],
} as const
const COMMON = ['json'] as const
const WITH_VALUE = ['session', 'project'] as const
const OF_LOG = ['number', 'since', 'grep', 'files'] as const
const OF_SESSIONS = ['agent'] as const

/**
 * Null for anything but the plainest form: other verbs, help, mistakes, other spellings. `program`
 * parses those; loading it takes longer than these verbs need to answer.
 */
export function readPlainWords([verb, ...words]: readonly string[]): PlainWords | null {
  if (verb === undefined || !Object.hasOwn(SWITCHES, verb)) return null
  const known = new Set<string>([...SWITCHES[verb as ReadingVerb], ...COMMON])
  const own = verb === 'log' ? OF_LOG : verb === 'sessions' ? OF_SESSIONS : []
  const withValue = new Set<string>([...WITH_VALUE, ...own])
  const turns: string[] = []
  const flags: Record<string, string | boolean> = {}
  for (let at = 0; at < words.length; at++) {
    const word = words[at]!
    const name = verb === 'log' && word === '-n' ? 'number' : word.slice(2)
    if (!word.startsWith('-')) turns.push(word)
    else if (word === `--${name}` && known.has(name)) flags[camel(name)] = true
    else if (word === '-n' || (word === `--${name}` && withValue.has(name))) {
      const value = words[++at]
      if (!withValue.has(name) || value === undefined || value.startsWith('-')) return null
      flags[name] = value
    } else return null
  }
  if (turns.length !== (verb === 'show' ? 1 : 0)) return null
  return { verb: verb as ReadingVerb, turn: turns[0] ?? '', flags }
}

function camel(name: string): string {
  return name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
