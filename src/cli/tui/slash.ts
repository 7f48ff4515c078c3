import type { LogReport } from '#timeline'
import type { Effect, Request } from './state.ts'

/** What a line that begins with a slash means. */
export type Slash =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'effect'; readonly effect: Effect }
  | { readonly kind: 'help' }
  | { readonly kind: 'log' }
  | { readonly kind: 'usage'; readonly text: string }

interface SlashVerb {
  readonly usage: string
  readonly does: string
  /** What can stand behind it, for completion. */
  readonly completes?: (log: LogReport) => readonly string[]
  /** Null: the words do not fit. */
  read(words: readonly string[], rest: string): Slash | null
}

const request = (asked: Request): Slash => ({ kind: 'request', request: asked })

const turnNames = ({ turns }: LogReport): string[] =>
  turns.flatMap(({ number, checkpoints }) => [
    ...checkpoints,
    ...(number === null ? [] : [String(number)]),
  ])

export const slashVerbs: Readonly<Record<string, SlashVerb>> = {
  '/undo': {
    usage: '/undo [N]',
    does: 'the last turn back, or the last N',
    read: ([n, ...more]) => counted(n, more, (count) => request({ verb: 'undo', count })),
  },
  '/redo': {
    usage: '/redo [N|all]',
    does: 'the next undone turn, the next N, or all',
    completes: () => ['all'],
    read: ([n, ...more]) =>
      n === 'all' && more.length === 0
        ? request({ verb: 'redo', count: 'all' })
        : counted(n, more, (count) => request({ verb: 'redo', count })),
  },
  '/rewind': {
    usage: '/rewind TURN',
    does: 'keep up to this turn; 0 is before the first',
    completes: turnNames,
    read: (_, turn) => (turn === '' ? null : request({ verb: 'rewind', turn, before: false })),
  },
  '/back': {
    usage: '/back',
    does: 'the conversation alone, one turn back',
    read: (words) => (words.length > 0 ? null : request({ verb: 'back' })),
  },
  '/switch': {
    usage: '/switch BRANCH',
    does: 'to another branch; the files follow',
    completes: ({ branches }) => branches.map(({ label }) => label),
    read: (_, branch) => (branch === '' ? null : request({ verb: 'switch', branch, turn: null })),
  },
  '/branch': {
    usage: '/branch TURN [TITLE]',
    does: 'a new session that starts after a turn',
    completes: turnNames,
    read: ([turn, ...title]) =>
      turn === undefined
        ? null
        : request({ verb: 'branch', turn, title: title.length === 0 ? null : title.join(' ') }),
  },
  '/checkpoint': {
    usage: '/checkpoint [NAME] [--turn TURN]',
    does: 'a name for this turn, or for another',
    read: (_, rest) => {
      const [, name = '', turn] = /^(.*?)\s*(?:--turn\s+(\S+))?$/.exec(rest) ?? []
      return request({ verb: 'checkpoint', name: name.trim() || null, turn: turn ?? null })
    },
  },
  '/show': {
    usage: '/show TURN',
    does: 'one turn: prompt, steps, files, diff',
    completes: turnNames,
    read: ([turn, ...more]) =>
      turn === undefined || more.length > 0
        ? null
        : { kind: 'effect', effect: { do: 'show', turn, only: 'all' } },
  },
  '/compare': {
    usage: '/compare A B',
    does: 'two turns or branches side by side',
    completes: (log) => [...log.branches.map(({ label }) => label), ...turnNames(log)],
    read: ([a, b, ...more]) =>
      a === undefined || b === undefined || more.length > 0
        ? null
        : { kind: 'effect', effect: { do: 'compare', ends: [a, b] } },
  },
  '/log': { usage: '/log', does: 'the turns', read: (words) => plain(words, { kind: 'log' }) },
  '/help': { usage: '/help', does: 'this', read: (words) => plain(words, { kind: 'help' }) },
  '/quit': {
    usage: '/quit',
    does: 'leave',
    read: (words) => plain(words, { kind: 'effect', effect: { do: 'quit' } }),
  },
}

/** Bad words get a usage line, and an unknown verb the list of those there are. */
export function readSlash(line: string): Slash {
  const [name = '', ...words] = line.trim().split(/\s+/)
  const verb = Object.hasOwn(slashVerbs, name) ? slashVerbs[name] : undefined
  if (verb === undefined)
    return { kind: 'usage', text: `There is no ${name}. ${Object.keys(slashVerbs).join(' ')}` }
  const rest = line.trim().slice(name.length).trim()
  return verb.read(words, rest) ?? { kind: 'usage', text: `Usage: ${verb.usage}: ${verb.does}` }
}

/** The line with its last word completed as far as all that fit agree; and those that fit. */
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

function counted(
  n: string | undefined,
  more: readonly string[],
  make: (count: number) => Slash,
): Slash | null {
  if (more.length > 0 || (n !== undefined && !/^[1-9]\d{0,5}$/.test(n))) return null
  return make(n === undefined ? 1 : Number(n))
}

function plain(words: readonly string[], slash: Slash): Slash | null {
  return words.length > 0 ? null : slash
}
