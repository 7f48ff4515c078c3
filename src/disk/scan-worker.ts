/** A thread that takes its part in a scan, and ends when nothing is left. */
import { workerData, type MessagePort } from 'node:worker_threads'
import { workOff, type Share } from './scan-share.ts'

const { share, port } = workerData as { share: Share; port: MessagePort }

workOff(share, (findings) => port.postMessage(findings))
port.close()
