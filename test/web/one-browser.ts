/**
 * Starts one Chromium for each worker, and not for each file: a start costs a second of CPU. They
 * live in this process, which ends them whatever becomes of the workers. Workers do not share one,
 * because a browser has one clipboard.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import type { TestProject } from 'vitest/node'
import { serveChromium, type ServedBrowser } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers the name of a worker with the address of its browser. */
    browsers: string
  }
}

/** Somebody who says "go back", again and again, into every microphone that a test opens. */
const speech = fileURLToPath(new URL('../fixtures/voice/go-back.wav', import.meta.url))
const FLAGS = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-audio-capture=${speech}`,
]

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const served = new Map<string, Promise<ServedBrowser>>()
  const server = createServer(({ url: worker = '' }, response) => {
    const browser = served.get(worker) ?? serveChromium(FLAGS)
    served.set(worker, browser)
    browser.then(
      ({ address }) => response.end(address),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  provide('browsers', `http://127.0.0.1:${port}`)
  return async () => {
    server.closeAllConnections()
    server.close()
    for (const browser of served.values()) await (await browser)[Symbol.asyncDispose]()
  }
}
