import type { Operation } from './history.ts'

/** Where the session stands: which turns are in the files. */
export interface State {
  readonly head: string | null
  readonly beforeFirst: boolean
  /** Where the files stand, if an operation moved them alone. */
  readonly files?: string
  readonly reverted: ReadonlySet<string>
}

/** From files that were moved alone, these lead to a state that is known. */
export const LEADS_BACK = new Set<Operation['do']>(['rewind', 'switch', 'exact', 'op-undo'])

/** Why an op undo may be refused. */
export const MAY_REFUSE = new Set(['conversation-went-on', 'nothing-to-undo', 'operation-held-up', 'operation-overtaken']) // prettier-ignore
