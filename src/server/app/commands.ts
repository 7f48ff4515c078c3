import { Failure } from '#failure'
import { branchSession } from '../routes/index.ts'
import { bodies, type Served } from '../requests/index.ts'
import type { Commands } from '../live/index.ts'

/** The commands that a client can send over a WebSocket. Only that client gets the reply. */
export function makeCommands(served: Served): Commands {
  return {
    /** Rewinds into a new session: the old one stays, and the client switches to the new one. */
    async rewind_session(message) {
      const { success, data } = bodies.rewindSession.safeParse(message)
      if (!success)
        throw new Failure('body-invalid', 'This takes a `sessionId` and a `rewindToTurn`.')
      const { sessionId, rewindToTurn, title } = data
      const branched = await branchSession(served, sessionId, { turn: rewindToTurn, title })
      return {
        event: 'session_created',
        sessionId: branched.session.id,
        parentSessionId: branched.receipt.session,
        ...branched,
      }
    },
  }
}
