import type { EventView } from '#protocol'
import type { Feed } from './feed.ts'
import { securityHeaders } from './headers.ts'

/** Proxies and laptops drop connections on which nothing is said. */
const BEAT = 15_000
/** A window that stopped reading must not fill our memory; it comes back and is told. */
const MOST_WAITING = 512

/** The feed as server-sent events; ends when the client goes or does not read. */
export function streamEvents(feed: Feed, after: string | null): Response {
  const encoder = new TextEncoder()
  let subscription: Disposable | null = null
  let beat: NodeJS.Timeout | null = null
  const stop = (): void => {
    subscription?.[Symbol.dispose]()
    if (beat !== null) clearInterval(beat)
  }
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const say = (text: string): void => {
          if ((controller.desiredSize ?? 0) > -MOST_WAITING)
            return controller.enqueue(encoder.encode(text))
          stop()
          controller.close()
        }
        say(': retake\n\n')
        subscription = feed.subscribe(after, (event) => say(frame(event)))
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
