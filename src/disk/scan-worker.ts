/** A thread that takes its part in a scan, and ends when nothing is left. */
import { workerData } from 'node:worker_threads'
import { help } from './scan-crew.ts'

help(workerData as Parameters<typeof help>[0])
