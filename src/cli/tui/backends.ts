import type { EventView } from '#protocol'
import type { Context } from '../context.ts'
import { openLocalBackend } from './local-backend.ts'
import type { Backend } from './backend.ts'
import { openServerBackend, type ServerBackend } from './server-backend.ts'

export interface Backends {
  /**
   * The server if it is running, else this process; each call looks again if the server is gone.
   */
  find(): Promise<Backend>
  readonly local: Backend
  close(): Promise<void>
}

export function openBackends(
  context: Context,
  onEvent: (event: EventView, backend: ServerBackend) => void,
): Backends {
  const local = openLocalBackend(context)
  let served: Promise<ServerBackend | null> = look()

  async function look(): Promise<ServerBackend | null> {
    let backend: ServerBackend | null = null
    // Events before `backend` is set can be dropped: the first load reads what they announce.
    backend = await openServerBackend(context.machine, (event) => {
      if (backend !== null) onEvent(event, backend)
    })
    return backend
  }
  return {
    local,
    async find() {
      const found = await served
      if (found?.isThere === true) return found
      served = look()
      return (await served) ?? local
    },
    async close() {
      await (await served)?.[Symbol.asyncDispose]()
      await local[Symbol.asyncDispose]()
    },
  }
}
