import { availableParallelism } from 'node:os'
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { statPath } from './list-directory.ts'
import { shareRows, waitForOthers, workOff } from './scan-share.ts'
import { verifyRow, type Finding } from './scan-verify.ts'
import { fileURLToPath } from 'node:url'

/** From this many directories on, a second thread is started sooner than it is missed. */
const MANY = 4000
const MOST_THREADS = 4
const PATIENCE = 10_000

/**
 * Everything that differs from the rows, without reading a file. Many rows are shared among
 * threads; this one works along and waits for the rest, so that a scan is one call.
 */
export function scanRows(
  root: string,
  rows: ReadonlyMap<string, Buffer>,
  { trustTimes }: { trustTimes: boolean },
): Finding[] {
  const worker = workerFile()
  const helpers = rows.size < MANY ? 0 : Math.min(availableParallelism(), MOST_THREADS) - 1
  if (helpers === 0 || worker === null) {
    const findings: Finding[] = []
    for (const [path, row] of rows) {
      const finding = verifyRow({ root, path, row, trustTimes })
      if (finding !== null) findings.push(finding)
    }
    return findings
  }
  const share = shareRows(root, rows, trustTimes)
  const ports = Array.from({ length: helpers }, () => {
    const { port1, port2 } = new MessageChannel()
    const thread = new Worker(worker, {
      workerData: { share, port: port2 },
      transferList: [port2],
      env: {},
      execArgv: [],
    })
    // One that cannot start leaves all the work to the others.
    thread.on('error', () => {})
    thread.unref()
    port1.unref()
    return port1
  })
  const findings: Finding[] = []
  workOff(share, (found) => findings.push(...found))
  findings.push(...waitForOthers(share, PATIENCE))
  for (const port of ports) {
    for (let got = receiveMessageOnPort(port); got !== undefined; got = receiveMessageOnPort(port))
      findings.push(...(got.message as Finding[]))
    port.close()
  }
  return findings
}

/** In the bundle it lies beside the entry or above the chunks; without it there is one thread. */
function workerFile(): URL | null {
  const source = new URL('./scan-worker.ts', import.meta.url)
  const bundled = ['./scan-worker.js', '../scan-worker.js'].map(
    (at) => new URL(at, import.meta.url),
  )
  const isSource = import.meta.url.endsWith('.ts')
  const candidates = isSource ? [source] : bundled
  return candidates.find((url) => statPath(fileURLToPath(url)) !== null) ?? null
}
