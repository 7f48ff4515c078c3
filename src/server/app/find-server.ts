import { setTimeout } from 'node:timers/promises'
import { durableDisk, makePrivateDirectory, writeOnce } from '#disk'
import { isServerNewer, readServerRecord, type Machine } from '#engine'
import { Failure } from '#failure'
import { openClient, type ServerView } from '#protocol'
import { randomBytes } from 'node:crypto'
import { openBrowsers } from '../access/index.ts'
import { serve, type RunningServer, type ServeOptions } from './serve.ts'

export type FoundServer =
  | { readonly kind: 'started'; readonly server: RunningServer }
  | { readonly kind: 'found'; readonly record: ServerView; readonly launchUrl: string }

const TIMEOUT_MS = 10_000
const POLL_MS = 50

/**
 * Finds the machine's server, or makes this process the server. If two start at once, one gets the
 * lock and the other waits until it answers.
 */
export async function findOrServe(machine: Machine, options: ServeOptions): Promise<FoundServer> {
  for (const until = performance.now() + TIMEOUT_MS; ;) {
    const server = await serve(machine, options)
    if (server !== null) return { kind: 'started', server }
    const record = readServerRecord(machine.disk, machine.places.runtime)
    if (isServerNewer(machine.disk, machine.places.runtime))
      throw new Failure('server-silent', 'A newer version of Retake runs the server here.', {
        hint: 'Update Retake, or end that server, then try again.',
      })
    const launchUrl = record === null ? null : await askForLink(record)
    if (record !== null && launchUrl !== null) return { kind: 'found', record, launchUrl }
    if (performance.now() > until)
      throw new Failure('server-silent', 'Another Retake server is running but does not answer.', {
        hint: `${record === null ? 'End it' : `End process ${record.pid}`}, then try again.`,
      })
    await setTimeout(POLL_MS)
  }
}

/** Null if no server answers: a killed server leaves its record behind. */
async function askForLink({ url, token }: ServerView): Promise<string | null> {
  const fetch: typeof globalThis.fetch = (input, init) =>
    globalThis.fetch(input, { ...init, signal: AbortSignal.timeout(2000) })
  try {
    return (await openClient({ origin: url, token, fetch }).makeLaunchCode({})).url
  } catch {
    return null
  }
}

/** Signs every browser out: at once if the server runs, else before its next start. */
export async function signOutBrowsers(machine: Machine): Promise<void> {
  const { places } = machine
  openBrowsers(places.state, () => machine.now().getTime()).remove(null)
  const record = readServerRecord(machine.disk, places.runtime)
  if (record === null) return
  const { url, token } = record
  try {
    await openClient({ origin: url, token }).signOutBrowsers({})
  } catch (error) {
    // A killed server leaves its record behind, but its tokens are gone.
    if (!(error instanceof TypeError)) throw error
  }
}

/**
 * A file that redirects a browser to the page. Every user of the machine can read program
 * arguments, and could use a link in them first. Only the owner can read this file.
 */
export function writeLaunchFile({ places }: Machine, url: string): string {
  const directory = makePrivateDirectory(durableDisk, places.runtime, ['launch'])
  const name = `${randomBytes(9).toString('base64url')}.html`
  const text = `<!doctype html><meta charset="utf-8"><title>Retake</title><meta http-equiv="refresh" content="0;url=${url}">`
  writeOnce(durableDisk, directory, name, Buffer.from(text))
  return `${directory}/${name}`
}
