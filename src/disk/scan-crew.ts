import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import { statPath } from './list-directory.ts'
import { performJob, type Job, type JobResult } from './scan-jobs.ts'

/**
 * Threads that work off jobs beside this one. Helpers begin with the last job, this thread takes
 * what it needs: a helper that starts late or never takes fewer, and nobody waits for it.
 */
export interface Crew<J extends Job> extends Disposable {
  readonly helpers: number
  /** Numbers count from zero, in the order in which jobs are added. */
  add(job: J): void
  /** The result of a job; who asks does it himself unless another has begun. */
  take(n: number): JobResult<J>
  /** Whether another is at it, or has done it. */
  isTaken(n: number): boolean
}

/** What all threads see: how many jobs there are, whether more will come, and a state for each. */
const ADDED = 0
const IS_OVER = 1
const STATES = 2
const MOST_JOBS = 64 * 1024
const FREE = 0
const CLAIMED = 1
const DONE = 2

const MOST_THREADS = 4
const PATIENCE = 10_000

interface Helped {
  readonly control: Int32Array<SharedArrayBuffer>
  readonly port: MessagePort
}

export function openCrew<J extends Job>({
  helpers = Math.min(availableParallelism(), MOST_THREADS) - 1,
}: { helpers?: number } = {}): Crew<J> {
  const control = new Int32Array(new SharedArrayBuffer((STATES + MOST_JOBS) * 4))
  const jobs: J[] = []
  const results = new Map<number, JobResult<J>>()
  const ports = startHelpers(helpers, control)
  const receive = (): void => {
    for (const port of ports)
      for (
        let got = receiveMessageOnPort(port);
        got !== undefined;
        got = receiveMessageOnPort(port)
      )
        results.set(...(got.message as [number, JobResult<J>]))
  }
  return {
    helpers: ports.length,
    add(job) {
      const n = jobs.push(job) - 1
      // The rest of what is too much for the states is this thread's.
      if (n >= MOST_JOBS) return
      for (const port of ports) port.postMessage(job)
      Atomics.store(control, ADDED, n + 1)
      Atomics.notify(control, ADDED)
    },
    take(n) {
      const at = STATES + n
      const isOurs = n >= MOST_JOBS || Atomics.compareExchange(control, at, FREE, CLAIMED) === FREE
      if (!isOurs) {
        Atomics.wait(control, at, CLAIMED, PATIENCE)
        receive()
      }
      // Of a thread that died nothing comes: then it is done here after all.
      const result = results.get(n) ?? (performJob(jobs[n]!) as JobResult<J>)
      if (isOurs) Atomics.store(control, at, DONE)
      results.delete(n)
      return result
    },
    isTaken: (n) => n < MOST_JOBS && Atomics.load(control, STATES + n) !== FREE,
    [Symbol.dispose]() {
      Atomics.store(control, IS_OVER, 1)
      Atomics.add(control, ADDED, 1)
      Atomics.notify(control, ADDED)
      for (const port of ports) port.close()
    },
  }
}

function startHelpers(helpers: number, control: Int32Array<SharedArrayBuffer>): MessagePort[] {
  const worker = workerFile()
  if (worker === null) return []
  return Array.from({ length: helpers }, () => {
    const { port1, port2 } = new MessageChannel()
    const thread = new Worker(worker, {
      workerData: { control, port: port2 } satisfies Helped,
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
}

/** The life of a helper: claims jobs until all is over. A result is sent before its job is done. */
export function help({ control, port }: Helped): void {
  const jobs: Job[] = []
  while (Atomics.load(control, IS_OVER) === 0) {
    const added = Atomics.load(control, ADDED)
    while (jobs.length < added) {
      const got = receiveMessageOnPort(port)
      if (got === undefined) return
      jobs.push(got.message as Job)
    }
    const n = claimLast(control, added)
    if (n < 0) Atomics.wait(control, ADDED, added)
    else {
      const result = performJob(jobs[n]!)
      port.postMessage([n, result], Array.isArray(result) ? [] : [result.bytes])
      Atomics.store(control, STATES + n, DONE)
      Atomics.notify(control, STATES + n)
    }
  }
}

function claimLast(control: Int32Array, added: number): number {
  for (let n = added - 1; n >= 0; n -= 1)
    if (Atomics.compareExchange(control, STATES + n, FREE, CLAIMED) === FREE) return n
  return -1
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
