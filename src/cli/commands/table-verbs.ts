import type { Command as Program } from 'commander'
import { dashed, moving, verbOf, verbs, type Argument, type VerbName } from '#protocol'
import { changing, naming, withContext, type Flags } from '../verb.ts'

const loadChanges = async () => (await import('./implementations.ts')).changes

/** Adds a verb of the verb table to the command line: arguments, flags and help. */
export function addVerb(parent: Program, verb: VerbName): Program {
  const { words, does, takes } = verbOf(verb)
  const name = words.split(' ').at(-1)!
  const added = isMove(verb) ? changing(parent, name, does) : naming(parent, name, does)
  const plain = Object.entries(takes).filter(([, { word }]) => word === true)
  for (const [key, argument] of plain)
    added.argument(wordOf(key, argument, canBeCarried(takes, key)), argument.says)
  for (const [key, argument] of Object.entries(takes)) addFlag(added, key, argument)
  const others = variantsOf(verb)
  for (const [, { flag, does: says }] of others) added.option(`--${flag}`, says)
  return added.action((...given: unknown[]) => {
    const flags = given[plain.length] as Flags & Readonly<Record<string, unknown>>
    const said = others.find(([, { flag }]) => flags[flag!] === true)?.[0] ?? verb
    return withContext(flags, loadChanges, (context, { run }) =>
      run(context, flags, said, given.slice(0, plain.length) as (string | string[] | undefined)[]),
    )
  })
}

function isMove(verb: VerbName): boolean {
  return 'expectHead' in verbOf(verb).takes
}

/** Verbs that the command line writes as this verb with a flag. */
function variantsOf(verb: VerbName) {
  const { words } = verbOf(verb)
  const all = (Object.keys(verbs) as VerbName[]).map((name) => [name, verbOf(name)] as const)
  return all.filter(([, other]) => other.words === words && other.flag !== undefined)
}

function canBeCarried(takes: Readonly<Record<string, Argument>>, key: string): boolean {
  return Object.values(takes).some(({ carries }) => carries === key)
}

function wordOf(key: string, { called = key, kind, required }: Argument, isFree: boolean): string {
  const many = kind === 'files' || kind === 'branches' || kind === 'sessions' ? '...' : ''
  return required === true && !isFree ? `<${called}${many}>` : `[${called}${many}]`
}

function addFlag(added: Program, key: string, argument: Argument): void {
  const { kind, says, word, required, called = key, carries } = argument
  // Only the page and the API know the keys of parts.
  if (key in moving || word === true || kind === 'parts') return
  const value = carries ?? (kind === 'yes' ? null : called)
  const flag = `--${dashed(key)}${value === null ? '' : ` <${value}>`}`
  if (required === true) added.requiredOption(flag, says)
  else added.option(flag, says)
}
