import type { Run } from '#engine'
import type { RunEventView } from '#protocol'
import { openStream } from './event-stream.ts'

/**
 * A run as server-sent events, from its start or from where the client lost it. The run continues
 * when the client disconnects.
 */
export function streamRun(run: Run, after: string | null): Response {
  const { id, session, turn, prompt, log, state } = run
  const from =
    after !== null && after.startsWith(`${id}-`) ? Number(after.slice(id.length + 1)) : -1
  return openStream((say, end) => {
    if (from < 0)
      say(
        frame(`${id}-0`, {
          type: 'started',
          run: id,
          session,
          turn,
          prompt,
          queued: state === 'queued',
          ended: state === 'ended',
        }),
      )
    return log.follow(Math.max(0, from), (event, number) => {
      say(frame(`${id}-${number + 1}`, event))
      if (event.type === 'turn_end') end()
    })
  })
}

function frame(id: string, event: RunEventView): string {
  return `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}
