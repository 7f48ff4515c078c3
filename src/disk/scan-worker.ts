/** A worker thread of a scan. It ends when the pool is closed. */
import { workerData } from 'node:worker_threads'
import { runWorker } from './worker-pool.ts'

runWorker(workerData as Parameters<typeof runWorker>[0])
