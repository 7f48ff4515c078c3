import { readTyped, usageOf, verbOf, verbsOn, type Argument, type Command } from '#protocol'
import type { LogReport } from '#timeline'
import type { Effect } from './state.ts'

/** A parsed slash command. */
export type Slash =
  | { readonly kind: 'command'; readonly command: Command }
  | { readonly kind: 'effect'; readonly effect: Effect }
  | { readonly kind: 'help' }
  | { readonly kind: 'log' }
  | { readonly kind: 'usage'; readonly text: string }

interface SlashVerb {
  readonly usage: string
  readonly does: string
  /** Completions of its argument. */
  readonly completes?: (log: LogReport) => readonly string[]
  /** Null if the arguments are wrong. */
  read(words: readonly string[], rest: string): Slash | null
}

const turnNames = ({ turns }: LogReport): string[] =>
  turns.flatMap(({ number, checkpoints }) => [
    ...checkpoints,
    ...(number === null ? [] : [String(number)]),
  ])

/** Completions by the kind of a verb's first argument. */
const COMPLETIONS: Partial<Record<Argument['kind'], (log: LogReport) => string[]>> = {
  turn: turnNames,
  branch: ({ branches }) => branches.map(({ label }) => label),
}

/** Every verb of the verb table that can be typed here. */
function tableVerbs(): [string, SlashVerb][] {
  return verbsOn('slash').map((verb) => {
    const { does, takes } = verbOf(verb)
    const first = Object.values(takes).find(({ word }) => word === true)
    const flags = Object.entries(takes).filter(
      ([name, { kind }]) => kind === 'yes' && /^[a-z]+$/.test(name),
    )
    const completes = (log: LogReport): string[] => [
      ...(first === undefined ? [] : (COMPLETIONS[first.kind]?.(log) ?? [])),
      ...(first?.required === true ? [] : flags.map(([name]) => name)),
    ]
    const read = (_: unknown, rest: string): Slash | null => {
      const command = readTyped(verb, rest)
      return command === null ? null : { kind: 'command', command }
    }
    return [`/${verb}`, { usage: usageOf(verb), does, completes, read }]
  })
}

export const slashVerbs: Readonly<Record<string, SlashVerb>> = {
  ...Object.fromEntries(tableVerbs()),
  '/show': {
    usage: '/show TURN',
    does: 'show one turn: prompt, steps, files, diff',
    completes: turnNames,
    read: ([turn, ...more]) =>
      turn === undefined || more.length > 0
        ? null
        : { kind: 'effect', effect: { do: 'show', turn, only: 'all' } },
  },
  '/compare': {
    usage: '/compare A B',
    does: 'compare two turns or branches',
    completes: (log) => [...log.branches.map(({ label }) => label), ...turnNames(log)],
    read: ([a, b, ...more]) =>
      a === undefined || b === undefined || more.length > 0
        ? null
        : { kind: 'effect', effect: { do: 'compare', ends: [a, b] } },
  },
  '/log': { usage: '/log', does: 'show the turns', read: (words) => plain(words, { kind: 'log' }) },
  '/help': {
    usage: '/help',
    does: 'show this help',
    read: (words) => plain(words, { kind: 'help' }),
  },
  '/quit': {
    usage: '/quit',
    does: 'quit',
    read: (words) => plain(words, { kind: 'effect', effect: { do: 'quit' } }),
  },
}

/** Wrong arguments give the usage, an unknown command the list of commands. */
export function readSlash(line: string): Slash {
  const [name = '', ...words] = line.trim().split(/\s+/)
  const verb = Object.hasOwn(slashVerbs, name) ? slashVerbs[name] : undefined
  if (verb === undefined)
    return {
      kind: 'usage',
      text: `Unknown command ${name}. Commands: ${Object.keys(slashVerbs).join(' ')}`,
    }
  const rest = line.trim().slice(name.length).trim()
  return verb.read(words, rest) ?? { kind: 'usage', text: `Usage: ${verb.usage}: ${verb.does}` }
}

/**
 * Completes the last word up to the common prefix of all candidates; also returns the candidates.
 */
export function completeSlash(
  line: string,
  log: LogReport | null,
): { readonly line: string; readonly fits: readonly string[] } {
  const [, name, typed] = /^(\/\S*)(?:\s+(.*))?$/s.exec(line) ?? []
  if (name === undefined) return { line, fits: [] }
  if (typed === undefined) {
    const fits = Object.keys(slashVerbs).filter((verb) => verb.startsWith(name))
    return { line: fits.length === 1 ? `${fits[0]} ` : shared(fits) || line, fits }
  }
  const all = log === null ? [] : (slashVerbs[name]?.completes?.(log) ?? [])
  const fits = [...new Set(all)].filter((each) => each.startsWith(typed))
  return { line: fits.length === 0 ? line : `${name} ${shared(fits)}`, fits }
}

function shared(words: readonly string[]): string {
  const [first = ''] = words
  let length = first.length
  while (!words.every((word) => word.startsWith(first.slice(0, length)))) length -= 1
  return first.slice(0, length)
}

function plain(words: readonly string[], slash: Slash): Slash | null {
  return words.length > 0 ? null : slash
}
