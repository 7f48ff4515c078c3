import type { Progress, ReceiptReport } from '#timeline'
import { receiptView, type ReceiptView } from './plan-view.ts'

/** The address of a server and its token, in a file that only its owner can read. */
export interface ServerView {
  schema: 'retake.server/1'
  url: string
  port: number
  token: string
  pid: number
}

export interface LaunchView {
  schema: 'retake.launch/1'
  token: string
  /** The id of the browser, if it stays signed in by its key. */
  browser?: string
}

export interface ChallengeView {
  schema: 'retake.challenge/1'
  /** To be signed once, within a minute. */
  challenge: string
}

/** The browsers that are signed in. */
export interface BrowsersView {
  schema: 'retake.browsers/1'
  browsers: { id: string; name: string; addedAt: string; usedAt: string }[]
}

export interface LaunchCodeView {
  schema: 'retake.launch-code/1'
  /** Opens the page once, within a minute. */
  url: string
}

export interface HealthView {
  schema: 'retake.health/1'
  status: 'ok'
  version: string
  pid: number
  clients: number
  seconds: number
}

export interface FiguresView {
  schema: 'retake.figures/1'
  sessions: number
  sessionsMoved: number
  branchesPerSession: number | null
  operations: number
  operationsFailed: number
  byVerb: Readonly<Record<string, number>>
}

/** Whether an operation in progress could still be cancelled. */
export interface CancelView {
  schema: 'retake.cancel/1'
  plan: string
  /** True: everything is as it was. False: the operation was completed, as the receipt says. */
  cancelled: boolean
  receipt?: ReceiptView
}

export function cancelView(plan: string, done: ReceiptReport | null): CancelView {
  return {
    schema: 'retake.cancel/1',
    plan,
    cancelled: done === null,
    ...(done === null ? {} : { receipt: receiptView(done) }),
  }
}

/** An event for every client. It carries ids only; clients request what they need. */
export type EventView = { id: string } & (
  | { event: 'session.created' | 'session.updated' | 'session.removed'; session: string }
  | {
      event: 'operation.applied'
      session: string
      operation: number
      verb: string
      ref: string
    }
  /** The progress of an operation. Not replayed to clients that reconnect. */
  | ({
      event: 'operation.progress'
      session: string
      plan: string
      verb: string
    } & Progress)
  | { event: 'turn.started' | 'turn.ended'; session: string; turn: string }
  | { event: 'approval.asked' | 'approval.answered'; session: string; approval: string }
  | { event: 'voice.logged'; session: string }
  | { event: 'files.changed'; session: string | null; files: string[] }
  /** Some events are lost: clients must request everything again. */
  | { event: 'reset' }
)
