import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads'
import { statPath } from './list-directory.ts'
import { performJob, type Job, type JobResult } from './scan-jobs.ts'

/**
 * Worker threads that share jobs with this thread. Workers start with the last job, this thread
 * claims the jobs that it needs. So a worker that starts late or never just does fewer, and this
 * thread does not wait for it.
 */
export interface WorkerPool<J extends Job> extends Disposable {
  readonly helpers: number
  /** Jobs are numbered from zero, in the order in which they are added. */
  add(job: J): void
  /**
   * Returns the result of a job. This thread does the job itself unless a worker has claimed it.
   */
  take(n: number): JobResult<J>
  /** Whether a thread has claimed or done the job. */
  isTaken(n: number): boolean
}

/** The shared memory: the number of jobs, whether the pool is closed, and a state for each job. */
const ADDED = 0
const IS_CLOSED = 1
const STATES = 2
const MAX_SHARED_JOBS = 64 * 1024
const FREE = 0
const CLAIMED = 1
const DONE = 2

const MAX_THREADS = 4
const WORKER_TIMEOUT_MS = 10_000

interface WorkerInput {
  readonly control: Int32Array<SharedArrayBuffer>
  readonly port: MessagePort
}

export function openWorkerPool<J extends Job>({
  helpers = Math.min(availableParallelism(), MAX_THREADS) - 1,
}: { helpers?: number } = {}): WorkerPool<J> {
  const control = new Int32Array(new SharedArrayBuffer((STATES + MAX_SHARED_JOBS) * 4))
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
      // Jobs beyond the shared states are done by this thread.
      if (n >= MAX_SHARED_JOBS) return
      for (const port of ports) port.postMessage(job)
      Atomics.store(control, ADDED, n + 1)
      Atomics.notify(control, ADDED)
    },
    take(n) {
      const at = STATES + n
      const isOurs =
        n >= MAX_SHARED_JOBS || Atomics.compareExchange(control, at, FREE, CLAIMED) === FREE
      if (!isOurs) {
        Atomics.wait(control, at, CLAIMED, WORKER_TIMEOUT_MS)
        receive()
      }
      // If the worker died, no result comes: do the job here.
      const result = results.get(n) ?? (performJob(jobs[n]!) as JobResult<J>)
      if (isOurs) Atomics.store(control, at, DONE)
      results.delete(n)
      return result
    },
    isTaken: (n) => n < MAX_SHARED_JOBS && Atomics.load(control, STATES + n) !== FREE,
    [Symbol.dispose]() {
      Atomics.store(control, IS_CLOSED, 1)
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
      workerData: { control, port: port2 } satisfies WorkerInput,
      transferList: [port2],
      env: {},
      execArgv: [],
    })
    // If a worker cannot start, the other threads do its jobs.
    thread.on('error', () => {})
    thread.unref()
    port1.unref()
    return port1
  })
}

/**
 * The worker's loop: claims jobs until the pool is closed. It sends a result before it marks the
 * job done.
 */
export function runWorker({ control, port }: WorkerInput): void {
  const jobs: Job[] = []
  while (Atomics.load(control, IS_CLOSED) === 0) {
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

/**
 * In the bundle the worker is next to the entry or one level above the chunks. Without it the scan
 * uses one thread.
 */
function workerFile(): URL | null {
  const source = new URL('./scan-worker.ts', import.meta.url)
  const bundled = ['./scan-worker.js', '../scan-worker.js'].map(
    (at) => new URL(at, import.meta.url),
  )
  const isSource = import.meta.url.endsWith('.ts')
  const candidates = isSource ? [source] : bundled
  return candidates.find((url) => statPath(fileURLToPath(url)) !== null) ?? null
}
