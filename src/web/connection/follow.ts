import type { EventView } from '#protocol'
import { joinRun } from '../composer/run.ts'
import { hearProgress } from '../plan/progress.tsx'
import { client, failureFrom, setConnection } from './connection.ts'
import { reloadOnSignIn } from './token.ts'
import { keys, queries, refreshSession } from './queries.ts'

const WAITS = [300, 600, 1200, 2500, 5000]

/**
 * Listens to the server as long as the page lives, and makes the cache forget what changed. After
 * a gap the server sends what was missed, or `reset` when it no longer knows.
 */
export async function follow(): Promise<void> {
  let after: string | undefined
  let failed = 0
  for (;;) {
    try {
      await client().events({
        ...(after === undefined ? {} : { after }),
        onOpen() {
          // What happened before somebody listened for the first time is not told: what was
          // answered until now may be old.
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
      // Somebody may wait for it: a session that was begun here has no file before its first words.
      return refreshSession(event.session, 'rows')
    case 'session.removed':
      void queries.invalidateQueries({ queryKey: keys.projects })
      return void queries.invalidateQueries({ queryKey: keys.sessions })
    case 'session.updated':
      return refreshSession(event.session, 'rows')
    case 'operation.applied':
      return refreshSession(event.session, 'everything')
    case 'turn.started':
      return void joinRun(event.session)
    case 'turn.ended':
      return refreshSession(event.session, 'rows')
    case 'approval.asked':
    case 'approval.answered':
      // Told in the stream of the turn, with what is asked.
      return
    case 'operation.progress':
      return hearProgress(event)
    case 'voice.logged':
      return void queries.invalidateQueries({ queryKey: keys.voiceLog(event.session) })
    case 'files.changed':
      if (event.session !== null)
        void queries.invalidateQueries({ queryKey: keys.status(event.session) })
      return
    case 'reset':
      return void queries.invalidateQueries()
  }
}
