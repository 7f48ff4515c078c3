import { moving, type Argument, type Kinds } from './arguments.ts'
import { verbOf, wordArguments, type Command, type VerbName } from './command.ts'

/**
 * Parses what is typed after a verb: `2`, `all`, `3 Another try`, `--turn 2`. Null if it does not
 * fit, because a half-understood line must not move anything.
 */
export function readTyped(verb: VerbName, text: string): Command | null {
  const { takes } = verbOf(verb)
  const given: Record<string, unknown> = { verb }
  const words = takeFlags(text, takes, given)
  if (words === null) return null
  takeBareFlag(words, takes, given)
  const named = wordArguments(takes).filter(([name]) => !(name in given))
  const rest = Object.entries(takes).find(([, argument]) => argument.rest === true)
  const places = rest === undefined || rest[0] in given ? named : [...named, rest]
  for (const [place, [name, argument]] of places.entries()) {
    const isLast = place === places.length - 1
    const value = readWords(argument, isLast ? words.splice(0) : words.splice(0, 1))
    if (value === null) return null
    if (value !== undefined) given[name] = value
  }
  if (words.length > 0) return null
  const isMissing = Object.entries(takes).some(
    ([name, { required }]) => required && !(name in given),
  )
  return isMissing ? null : (given as Command)
}

/** How a verb is typed: `/undo [N]`. */
export function usageOf(verb: VerbName, prefix = '/'): string {
  const { takes } = verbOf(verb)
  const called = (name: string, { called = name }: Argument): string => called.toUpperCase()
  const words = Object.entries(takes).flatMap(([name, argument]) => {
    if (argument.word !== true && argument.rest !== true) return []
    const word = called(name, argument)
    return [argument.required === true ? word : `[${word}]`]
  })
  const flags = Object.entries(takes).flatMap(([name, argument]) => {
    if (name in moving || argument.word === true || argument.rest === true) return []
    if (argument.carries !== undefined || argument.rare === true) return []
    return [
      argument.kind === 'yes'
        ? `[${dashed(name)}]`
        : `[--${dashed(name)} ${called(name, argument)}]`,
    ]
  })
  return [`${prefix}${verb}`, ...words, ...flags].join(' ')
}

/**
 * Takes flags with their values into `given`; returns the other words, or null if a flag is
 * invalid.
 */
function takeFlags(
  text: string,
  takes: Readonly<Record<string, Argument>>,
  given: Record<string, unknown>,
): string[] | null {
  const left: string[] = []
  const words = text.split(/\s+/).filter((word) => word !== '')
  while (words.length > 0) {
    const word = words.shift()!
    if (!/^--[a-z]/.test(word)) {
      left.push(word)
      continue
    }
    const found = Object.entries(takes).find(([name]) => `--${dashed(name)}` === word)
    if (found === undefined) return null
    const [name, argument] = found
    if (argument.kind === 'yes') given[name] = true
    if (argument.kind === 'yes' && argument.carries === undefined) continue
    const carried = argument.carries ?? name
    const value = readWords(takes[carried]!, words.splice(0, 1))
    if (value === null || value === undefined) return null
    given[carried] = value
  }
  return left
}

/** `/redo all`: the last word may be a flag without dashes, unless it is needed as a word. */
function takeBareFlag(
  words: string[],
  takes: Readonly<Record<string, Argument>>,
  given: Record<string, unknown>,
): void {
  const last = words.at(-1)
  const needed = wordArguments(takes).filter(([name, { required }]) => required && !(name in given))
  const found = Object.entries(takes).find(
    ([name, { kind, carries }]) =>
      kind === 'yes' && carries === undefined && !(name in moving) && dashed(name) === last,
  )
  if (found === undefined || words.length <= needed.length) return
  given[found[0]] = true
  words.pop()
}

/** Undefined if there are no words, null if they are invalid. */
function readWords(
  { kind }: Argument,
  words: readonly string[],
): Kinds[keyof Kinds] | null | undefined {
  if (words.length === 0) return undefined
  const text = words.join(' ')
  switch (kind) {
    case 'count':
      return /^[1-9]\d{0,5}$/.test(text) ? Number(text) : null
    case 'operation':
      return /^\d{1,9}$/.test(text) ? Number(text) : null
    case 'branches':
    case 'sessions':
    case 'files':
    case 'parts':
      return [...words]
    case 'files-or-chat':
      return text === 'files' || text === 'chat' ? text : null
    case 'on-conflict':
      return text === 'stop' || text === 'keep-mine' || text === 'put-back' || text === 'mark'
        ? text
        : null
    case 'yes':
      return null
    case 'turn':
    case 'branch':
    case 'session':
    case 'name':
      return text
  }
}

/** `keepPrompt` as it is typed: `keep-prompt`. */
export function dashed(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
