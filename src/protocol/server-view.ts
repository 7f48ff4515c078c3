import type { Progress, ReceiptReport } from '#timeline'
import { receiptView, type ReceiptView } from './plan-view.ts'

/** Where a server is found, and what lets one in. Lies in a file that only its owner can read. */
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
  /** The browser that stays signed in by its key. */
  browser?: string
}

export interface ChallengeView {
  schema: 'retake.challenge/1'
  /** To be signed, once, within a minute. */
  challenge: string
}

/** The browsers that are signed in. */
export interface BrowsersView {
  schema: 'retake.browsers/1'
  browsers: { id: string; name: string; addedAt: string; usedAt: string }[]
}

export interface LaunchCodeView {
  schema: 'retake.launch-code/1'
  /** Opens the page, once, within a minute. */
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

/** Whether a plan that was being carried out could still be taken back. */
export interface CancelView {
  schema: 'retake.cancel/1'
  plan: string
  /** True: everything is as it was. False: it was done, as the receipt says. */
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

/** What every client is told. Ids only: who wants to know more asks for it. */
export type EventView = { id: string } & (
  | { event: 'session.created' | 'session.updated' | 'session.removed'; session: string }
  | {
      event: 'operation.applied'
      session: string
      operation: number
      verb: string
      ref: string
    }
  /** How far the carrying out of a plan is. Not told again to who comes back. */
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
  /** Some events can no longer be told: everything must be asked for again. */
  | { event: 'reset' }
)
