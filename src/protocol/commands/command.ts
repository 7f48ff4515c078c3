import type { Arguments, ArgumentValues } from './arguments.ts'
import { verbs, type Surface, type Verb } from './verbs.ts'

export type VerbName = keyof typeof verbs

/** A command of the user, with turns and branches by name. The same on every surface. */
export type Command = { [Name in VerbName]: CommandOf<Name> }[VerbName]

export type CommandOf<Name extends VerbName> = { verb: Name } & ArgumentValues<
  (typeof verbs)[Name]['takes']
>

/** The body of a request whose path names the verb. */
export type BodyOf<Name extends VerbName> = ArgumentValues<(typeof verbs)[Name]['takes']>

/** The verbs that a surface supports. */
export type VerbOn<On extends Surface> = {
  [Name in VerbName]: On extends (typeof verbs)[Name]['on'][number] ? Name : never
}[VerbName]

export function verbsOn<On extends Surface>(surface: On): readonly VerbOn<On>[] {
  const all = Object.entries<Verb>(verbs)
  return all.filter(([, { on }]) => on.includes(surface)).map(([name]) => name as VerbOn<On>)
}

/** The table entry, typed so that arguments can be looked up by any name. */
export function verbOf(name: VerbName): Verb {
  return verbs[name]
}

/** The arguments that a verb takes as plain words, in order. */
export function wordArguments(takes: Arguments): [name: string, Arguments[string]][] {
  return Object.entries(takes).filter(([, { word }]) => word === true)
}
