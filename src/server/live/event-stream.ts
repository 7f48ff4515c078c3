import type { EventView } from '#protocol'
import type { Feed } from './feed.ts'
import { securityHeaders } from '../http/index.ts'

/** Send something this often: proxies and laptops drop idle connections. */
const HEARTBEAT_MS = 15_000
/**
 * A window that stopped reading must not fill our memory. It reconnects and gets the missed events.
 */
const MAX_WAITING = 512

/** The feed as server-sent events; ends when the client disconnects or stops reading. */
export function streamEvents(feed: Feed, after: string | null): Response {
  return openStream((say) => {
    const subscription = feed.subscribe(after, (event) => say(frame(event)))
    return () => subscription[Symbol.dispose]()
  })
}

/** A response that stays open: `follow` sends frames until it ends or is stopped. */
export function openStream(
  follow: (say: (frame: string) => void, end: () => void) => () => void,
): Response {
  const encoder = new TextEncoder()
  let unfollow: (() => void) | null = null
  let beat: NodeJS.Timeout | null = null
  let isOver = false
  const stop = (): void => {
    isOver = true
    unfollow?.()
    if (beat !== null) clearInterval(beat)
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const end = (): void => {
          if (isOver) return
          stop()
          controller.close()
        }
        const say = (text: string): void => {
          if (isOver) return
          if ((controller.desiredSize ?? 0) > -MAX_WAITING)
            return controller.enqueue(encoder.encode(text))
          end()
        }
        say(': retake\n\n')
        unfollow = follow(say, end)
        // The stream may have ended before `unfollow` was set.
        if (isOver) return unfollow()
        beat = setInterval(() => say(': \n\n'), HEARTBEAT_MS)
        beat.unref()
      },
      cancel: stop,
    },
    { highWaterMark: 1 },
  )
  return new Response(body, {
    headers: { ...securityHeaders, 'Content-Type': 'text/event-stream; charset=utf-8' },
  })
}

function frame(event: EventView): string {
  return `id: ${event.id}\nevent: ${event.event}\ndata: ${JSON.stringify(event)}\n\n`
}
