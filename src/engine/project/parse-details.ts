import { command, Failure, remedy } from '#failure'
import type { DoneOperation } from '#store'
import {
  DETAILS_VERSION,
  type FollowDetails,
  type OperationDetails,
  type PendingMove,
} from './operation-details.ts'

type Kind = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'any'
type RequiredKeys<T> = { [K in keyof T]-?: object extends Pick<T, K> ? never : K }[keyof T]
/** Every required field of a record. The compiler reports a missing one. */
type Fields<T> = Readonly<Record<RequiredKeys<T>, Kind>>

const DETAILS: Fields<OperationDetails> = {
  version: 'number',
  request: 'string',
  operation: 'object',
  from: 'any',
  to: 'any',
  turns: 'array',
  back: 'boolean',
  messages: 'number',
  merged: 'array',
  kept: 'array',
  left: 'array',
  notCovered: 'array',
  conversation: 'string',
  move: 'any',
  emptied: 'boolean',
  prompt: 'any',
}

const OPERATION: Fields<OperationDetails['operation']> = {
  session: 'string',
  seq: 'number',
  verb: 'string',
  inverts: 'any',
  from: 'object',
  to: 'object',
  files: 'array',
  cells: 'array',
  latestMoves: 'array',
  facts: 'array',
}

const FOLLOW: Fields<FollowDetails> = { version: 'number', follows: 'object' }

const MOVE: Fields<PendingMove> = {
  target: 'any',
  tip: 'any',
  from: 'any',
  size: 'number',
  operation: 'number',
  byShell: 'boolean',
}

/** The only place where an operation's JSON becomes a type. */
export function parseDetails(recorded: DoneOperation): OperationDetails {
  const details = checkVersion<OperationDetails>(recorded, DETAILS)
  return has(details.operation, OPERATION) ? details : refuseDetails(recorded)
}

export function parseFollow(recorded: DoneOperation): FollowDetails {
  const details = checkVersion<FollowDetails>(recorded, FOLLOW)
  return has(details.follows, MOVE) ? details : refuseDetails(recorded)
}

function checkVersion<T>(recorded: DoneOperation, fields: Fields<T>): T {
  const { id, details } = recorded
  const { version } = (details ?? {}) as { readonly version?: unknown }
  if (typeof version === 'number' && version > DETAILS_VERSION)
    throw new Failure('store-newer', `A newer version of Retake recorded operation ${id}.`, {
      hint: 'Update Retake.',
    })
  if (version !== DETAILS_VERSION || !has(details, fields)) return refuseDetails(recorded)
  return details as T
}

function has(value: unknown, fields: Readonly<Record<string, Kind>>): boolean {
  if (typeof value !== 'object' || value === null) return false
  const there = value as Readonly<Record<string, unknown>>
  return Object.entries(fields).every(([name, kind]) => name in there && isOf(kind, there[name]))
}

function isOf(kind: Kind, value: unknown): boolean {
  if (kind === 'any') return true
  if (kind === 'array') return Array.isArray(value)
  if (kind === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return typeof value === kind
}

/** An operation with an unexpected record cannot be shown or undone. */
export function refuseDetails({ id }: DoneOperation): never {
  throw new Failure('store-damaged', `The record of operation ${id} cannot be read.`, {
    hint: remedy`Nothing was changed. ${command('check')} to see which records are damaged.`,
  })
}
