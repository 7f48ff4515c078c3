import { createHash } from 'node:crypto'
import type { Operation } from '#store'
import type { PlanVerb, ReceiptReport, Value } from '#timeline'
import { detailsOf } from '../project/index.ts'

/** Verbs that can bring turns back; the others redo nothing. */
const FORWARD = new Set(['redo', 'rewind', 'exact'])

/** What an operation did, from its record: every call returns the same receipt. */
export function receiptOf(operation: Operation): ReceiptReport {
  const details = detailsOf(operation)
  const applied = operation.paths.filter(({ outcome }) => outcome === 'applied')
  const conflicts = operation.paths.filter(({ outcome }) => outcome === 'conflict')
  const { beforeFirst } = details.operation.to
  const firstStays = details.back && beforeFirst && !details.emptied
  const count = details.turns.length
  return {
    operation: operation.id,
    verb: operation.verb as PlanVerb,
    session: operation.session ?? '',
    from: details.from,
    to: details.to,
    branches: details.branches ?? [],
    name: details.name ?? null,
    turnsUndone: details.passed?.undone ?? (details.back ? count : 0),
    turnsRedone:
      details.passed?.redone ?? (details.back || !FORWARD.has(operation.verb) ? 0 : count),
    messagesRemoved: details.passed?.messages ?? (details.back ? details.messages : 0),
    filesReverted: applied.filter(({ post }) => post.kind !== 'absent').map(({ path }) => path),
    filesRemoved: applied.filter(({ post }) => post.kind === 'absent').map(({ path }) => path),
    filesKept: [...details.merged, ...details.kept, ...conflicts.map(({ path }) => path)],
    ...(details.keptBy === undefined ? {} : { keptBy: details.keptBy }),
    snapshotBefore: manifestId(applied.map(({ path, pre }) => [path, pre])),
    snapshotRestored: manifestId(applied.map(({ path, post }) => [path, post])),
    conversation: details.conversation,
    firstStays,
    left: details.left,
    notCovered: details.notCovered,
    ...(details.warnings === undefined ? {} : { warnings: details.warnings }),
    ...(details.marked === undefined ? {} : { marked: details.marked }),
    prompt: details.prompt,
    nothing: null,
    ...(details.continues === undefined ? {} : { continues: details.continues }),
  }
}

/** Identifies the state of the operation's files at one moment; null if it touched none. */
function manifestId(files: readonly (readonly [string, Value])[]): string | null {
  if (files.length === 0) return null
  const lines = files.map(([path, value]) => JSON.stringify([path, value])).sort()
  return createHash('sha1').update(lines.join('\n')).digest('hex')
}
