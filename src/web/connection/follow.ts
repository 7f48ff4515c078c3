import type { EventView } from '#protocol'
import { loseParked, wakeParked } from '../composer/parked.ts'
import { joinRun } from '../composer/run.ts'
import { receiveProgress } from '../plan/progress.tsx'
import { failureFrom, setConnection } from './connection.ts'
import { followEvents } from './event-socket.ts'
import { reloadOnSignIn } from './token.ts'
import { keys, queries } from './queries.ts'
import { refreshSession } from './refresh.ts'

const WAITS = [300, 600, 1200, 2500, 5000]

/**
 * Follows the server's events while the page lives, and invalidates what changed in the cache.
 * After a gap the server sends the missed events, or `reset` if it no longer has them.
 */
export async function follow(): Promise<void> {
  let after: string | undefined
  let failed = 0
  for (;;) {
    try {
      await followEvents({
        after,
        onOpen() {
          // The first connection replays no events, so what was loaded until now may be stale.
          if (after === undefined)
            void queries.invalidateQueries({
              predicate: ({ state }) => failed > 0 || state.dataUpdatedAt > 0,
            })
          failed = 0
          setConnection('up')
        },
        onEvent(event) {
          after = event.id
          hear(event)
        },
      })
    } catch (error) {
      const { code } = failureFrom(error)
      if (code === 'no-token') {
        reloadOnSignIn()
        return setConnection('unauthorised')
      }
    }
    setConnection('down')
    loseParked()
    await new Promise((resolve) => {
      const timer = setTimeout(resolve, WAITS[Math.min(failed, WAITS.length - 1)])
      const now = (): void => {
        clearTimeout(timer)
        resolve(null)
      }
      addEventListener('online', now, { once: true })
    })
    failed += 1
  }
}

function hear(event: EventView): void {
  switch (event.event) {
    case 'session.created':
      void queries.invalidateQueries({ queryKey: keys.projects })
      // The page may wait for this session: one started here has no file before its first answer.
      return refreshSession(event.session, 'rows')
    case 'session.removed':
      void queries.invalidateQueries({ queryKey: keys.projects })
      return void queries.invalidateQueries({ queryKey: keys.sessions })
    case 'session.updated':
      return refreshSession(event.session, 'rows')
    case 'operation.applied':
      return refreshSession(event.session, 'everything')
    case 'turn.started':
      wakeParked(event.turn)
      return void joinRun(event.session)
    case 'turn.ended':
      wakeParked(event.turn)
      return refreshSession(event.session, 'rows')
    case 'approval.asked':
    case 'approval.answered':
      // Sent in the turn's own stream, with the request.
      return
    case 'operation.progress':
      return receiveProgress(event)
    case 'voice.logged':
      return void queries.invalidateQueries({ queryKey: keys.voiceLog(event.session) })
    case 'files.changed':
      if (event.session !== null) refreshSession(event.session, 'files')
      return
    case 'reset':
      wakeParked(null)
      return void queries.invalidateQueries()
  }
}
