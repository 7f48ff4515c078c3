import type { OperationReport } from '#timeline'

/** What happened on this machine, whoever did it: the agent, a command, a hook, another window. */
export type MachineChange =
  | {
      /** `session-left`: no agent has it open any more. */
      readonly kind: 'session-created' | 'session-updated' | 'session-removed' | 'session-left'
      readonly session: string
    }
  | {
      readonly kind: 'operation-applied'
      /** The project's, which is no path. */
      readonly key: string
      readonly project: string
      readonly operation: OperationReport
    }
