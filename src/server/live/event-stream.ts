import type { EventView } from '#protocol'
import type { Feed } from './feed.ts'
import { securityHeaders } from '../http/index.ts'

/** Proxies and laptops drop connections on which nothing is said. */
const BEAT = 15_000
/** A window that stopped reading must not fill our memory; it comes back and is told. */
const MOST_WAITING = 512

/** The feed as server-sent events; ends when the client goes or does not read. */
export function streamEvents(feed: Feed, after: string | null): Response {
  return openStream((say) => {
    const subscription = feed.subscribe(after, (event) => say(frame(event)))
    return () => subscription[Symbol.dispose]()
  })
}

/** An answer that stays open: `follow` says frames until it ends or is told to stop. */
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
          if ((controller.desiredSize ?? 0) > -MOST_WAITING)
            return controller.enqueue(encoder.encode(text))
          end()
        }
        say(': retake\n\n')
        unfollow = follow(say, end)
        // It may have been over before it could be told how to stop.
        if (isOver) return unfollow()
        beat = setInterval(() => say(': \n\n'), BEAT)
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
