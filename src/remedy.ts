/**
 * What a user can do about a failure, as data. A remedy is text with acts in it; each surface words
 * an act in its own way: a command, a key, a button, a tool, a field of a request.
 *
 *   remedy`Finish the merge, or ${add('only', 'chat')} to move only the conversation.`
 */
export type Remedy = string | readonly (string | Act)[]

export type Act =
  /** Run another command. */
  | {
      readonly act: 'run'
      readonly verb: Verb
      readonly args: readonly string[]
      readonly options: Options
    }
  /** Repeat this one with an option. */
  | { readonly act: 'add'; readonly option: Option; readonly value: string | null }
  /** Repeat this one without these options. */
  | { readonly act: 'drop'; readonly options: readonly Option[] }
  /** Decide each file in conflict. */
  | { readonly act: 'choose' }

/** Commands that a remedy can name. A test compares them with those of the command line. */
export const VERBS = [
  'branch',
  'branch archive',
  'branch rename',
  'branches',
  'check',
  'checkpoints',
  'gc',
  'install',
  'log',
  'op log',
  'op undo',
  'project move',
  'redo',
  'rescue',
  'revert',
  'sessions',
  'settings',
  'settings set',
  'stash',
  'status',
  'switch',
  'tree',
  'undo',
  'uninstall',
  'where',
] as const

export type Verb = (typeof VERBS)[number]

/** Options by their names in requests; the command line has flags for them. */
export type Option =
  | 'agree'
  | 'all'
  | 'confirmed'
  | 'exact'
  | 'includeUnsure'
  | 'keepPrompt'
  | 'off'
  | 'only'
  | 'port'
  | 'readData'
  | 'scope'
  | 'session'
  | 'turn'
  | 'whole'

type Options = Readonly<Partial<Record<Option, string | true>>>

/** Words in capitals stand for what the user has to fill in: `command('switch', ['BRANCH'])`. */
export function command(verb: Verb, args: readonly string[] = [], options: Options = {}): Act {
  return { act: 'run', verb, args, options }
}

export function add(option: Option, value: string | null = null): Act {
  return { act: 'add', option, value }
}

export function drop(...options: readonly Option[]): Act {
  return { act: 'drop', options }
}

export const choose: Act = { act: 'choose' }

/** Text with acts in it. */
export function remedy(
  text: TemplateStringsArray,
  ...values: readonly (string | number | Act)[]
): Remedy {
  const parts: (string | Act)[] = []
  const put = (part: string | Act): void => {
    const last = parts.at(-1)
    if (typeof part === 'string' && typeof last === 'string') parts.splice(-1, 1, last + part)
    else if (part !== '') parts.push(part)
  }
  for (const [i, between] of text.entries()) {
    put(between)
    const value = values[i]
    if (value !== undefined) put(typeof value === 'number' ? String(value) : value)
  }
  return parts.every((part) => typeof part === 'string') ? parts.join('') : parts
}

/** How a surface words an act: an imperative that begins with a small letter. */
export type Wording = (act: Act) => string

export function wordRemedy(said: Remedy, wording: Wording): string {
  if (typeof said === 'string') return said
  return said.reduce<string>((text, part) => {
    if (typeof part === 'string') return text + part
    const words = wording(part)
    const starts = text === '' || /[.!?]\s+$/.test(text)
    return text + (starts ? `${words.charAt(0).toUpperCase()}${words.slice(1)}` : words)
  }, '')
}
