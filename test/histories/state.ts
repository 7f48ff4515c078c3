import type { Operation } from './history.ts'

/** The session's state: which turns are in the files. */
export interface State {
  readonly head: string | null
  readonly beforeFirst: boolean
  /** The turn that the files are at, if an operation moved them alone. */
  readonly files?: string
  readonly reverted: ReadonlySet<string>
}

/** From files that were moved alone, these lead to a known state. */
export const LEADS_BACK = new Set<Operation['do']>(['rewind', 'switch', 'exact', 'op-undo'])

/** Allowed reasons to refuse an op undo. */
export const MAY_REFUSE = new Set(['conversation-went-on', 'nothing-to-undo', 'operation-held-up', 'operation-overtaken']) // prettier-ignore
