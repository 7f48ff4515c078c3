import { Failure } from '#failure'
import { branchSession } from '../routes/index.ts'
import { bodies, type Served } from '../requests/index.ts'
import type { Commands } from '../live/index.ts'

/** What can be asked over a WebSocket. The answer comes as a message, to who asked alone. */
export function makeCommands(served: Served): Commands {
  return {
    /** Rewinds as a branch: the session stays, and the client goes over to the new one. */
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
