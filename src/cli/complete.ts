import type { Argument, Command, Option } from 'commander'
import type { SessionReport, TreeReport } from '#timeline'

/** One completion, and its description. */
export interface Candidate {
  readonly value: string
  readonly about: string
}

/** Data for completions, read only when an argument needs it. */
export interface Known {
  tree(): TreeReport | null
  sessions(): readonly SessionReport[]
  operations(): readonly Candidate[]
  stash(): readonly Candidate[]
  lost(): readonly Candidate[]
  settings(): readonly Candidate[]
}

/** The completions of the last word, and whether a file name fits too. */
export interface Completion {
  readonly candidates: readonly Candidate[]
  readonly files: boolean
}

/** Arguments and options that name a file or a directory. */
const FILES: ReadonlySet<string> = new Set(['path', 'old', 'new', 'project', 'files', 'agree'])

export function complete(program: Command, words: readonly string[], known: Known): Completion {
  const all = withoutLeading(words)
  const typed = all.at(-1) ?? ''
  const { command, given } = follow(program, all.slice(0, -1))
  const before = all.at(-2)
  const option = before?.startsWith('-') ? findOption(command, before) : undefined
  const offer = (name: string | undefined, candidates: readonly Candidate[]): Completion => ({
    candidates: candidates.filter(({ value }) => value.startsWith(typed)),
    files: name !== undefined && FILES.has(name),
  })
  if (before === '-C') return { candidates: [], files: true }
  if (option !== undefined && (option.required || option.optional)) {
    const name = option.attributeName()
    return offer(name, valuesOf(name, known))
  }
  if (typed.startsWith('-')) return offer(undefined, optionsOf(command))
  const argument = argumentAt(command, given)
  const values = argument === undefined ? [] : argumentValues(command, argument, known)
  return offer(argument?.name(), [...verbsOf(command, given), ...values])
}

/** Drops the options before the verb, which do not affect completion. */
function withoutLeading(words: readonly string[]): readonly string[] {
  let at = 0
  while (at < words.length - 1 && /^(?:-C|--project|--session|--json)$/.test(words[at]!)) {
    const next = words[at] === '--json' ? at + 1 : at + 2
    if (next >= words.length) break
    at = next
  }
  return words.slice(at)
}

/** The innermost verb typed so far, and the number of its arguments. */
function follow(program: Command, words: readonly string[]): { command: Command; given: number } {
  let command = program
  let given = 0
  for (let i = 0; i < words.length; i += 1) {
    const word = words[i]!
    const inner = command.commands.find((each) => each.name() === word)
    if (word.startsWith('-')) {
      const option = findOption(command, word)
      if (option !== undefined && (option.required || option.optional)) i += 1
    } else if (inner !== undefined && given === 0) command = inner
    else given += 1
  }
  return { command, given }
}

function findOption(command: Command, flag: string): Option | undefined {
  return command.options.find(({ long, short }) => long === flag || short === flag)
}

function verbsOf(command: Command, given: number): Candidate[] {
  if (given > 0) return []
  const help = command.createHelp()
  return help
    .visibleCommands(command)
    .map((each) => ({ value: each.name(), about: each.description() }))
}

function optionsOf(command: Command): Candidate[] {
  const help = command.createHelp()
  return help
    .visibleOptions(command)
    .map(({ long, short, description }) => ({ value: long ?? short ?? '', about: description }))
}

function argumentAt(command: Command, given: number): Argument | undefined {
  const all: readonly Argument[] = command.registeredArguments
  return all[given] ?? (all.at(-1)?.variadic === true ? all.at(-1) : undefined)
}

function argumentValues(command: Command, argument: Argument, known: Known): Candidate[] {
  return argument.name() === 'id' ? idsOf(command, known) : valuesOf(argument.name(), known)
}

const FIXED: Readonly<Record<string, readonly string[]>> = {
  only: ['files', 'chat'],
  onConflict: ['stop', 'keep-mine', 'put-back', 'mark'],
  scope: ['user', 'project'],
  permissionMode: ['default', 'acceptEdits', 'plan', 'dontAsk', 'auto', 'bypassPermissions'],
  shell: ['bash', 'zsh', 'fish'],
}

/** What `id` identifies depends on the verb. */
function idsOf(command: Command, known: Known): Candidate[] {
  const group = command.parent?.name()
  if (group === 'op') return [...known.operations()]
  if (group === 'stash') return [...known.stash()]
  return command.name() === 'rescue' ? [...known.lost()] : []
}

/** Completions by the name of the argument or option. */
function valuesOf(name: string, known: Known): Candidate[] {
  if (Object.hasOwn(FIXED, name)) return FIXED[name]!.map((value) => ({ value, about: '' }))
  switch (name) {
    case 'turn':
    case 'before':
    case 'at':
    case 'expectHead':
      return turns(known)
    case 'branch':
      return branches(known)
    case 'a':
    case 'b':
      return [...branches(known), ...turns(known)]
    case 'key':
      return [...known.settings()]
    case 'value':
      return ['on', 'off'].map((value) => ({ value, about: '' }))
    case 'session':
      return known.sessions().map(({ id, title }) => ({ value: id, about: title }))
    default:
      return []
  }
}

function turns(known: Known): Candidate[] {
  return (known.tree()?.turns ?? []).flatMap(({ number, turn, checkpoints }) => [
    ...checkpoints.map((value) => ({ value, about: turn.prompt })),
    ...(number === null ? [] : [{ value: String(number), about: turn.prompt }]),
  ])
}

function branches(known: Known): Candidate[] {
  return (known.tree()?.branches ?? []).map(({ label, turns: own, current }) => ({
    value: label,
    about: current ? 'you are here' : `${own.length} turns`,
  }))
}
