/** A worker thread of a scan. It ends when the crew is closed. */
import { workerData } from 'node:worker_threads'
import { runWorker } from './scan-crew.ts'

runWorker(workerData as Parameters<typeof runWorker>[0])
