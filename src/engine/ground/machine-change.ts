import type { OperationReport } from '#timeline'

/** A change on this machine, whether by the agent, a command, a hook or another window. */
export type MachineChange =
  | {
      /** `session-left`: no agent has it open any more. */
      readonly kind: 'session-created' | 'session-updated' | 'session-removed' | 'session-left'
      readonly session: string
    }
  | {
      readonly kind: 'operation-applied'
      /** The project's key, which is not a path. */
      readonly key: string
      readonly project: string
      readonly operation: OperationReport
    }
