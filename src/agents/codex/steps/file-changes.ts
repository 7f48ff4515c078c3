import { resolve } from 'node:path'
import type { Piece, Recorded, RecordedEdit } from '#timeline'
import { field, integer, string } from '../rows/index.ts'

export interface Made {
  readonly step: string
  readonly at: string | null
  readonly by: 'agent' | 'subagent'
  /** The directory that relative paths start from. */
  readonly cwd: string | null
}

/**
 * What a patch did to files: the whole text of a file that it added or deleted, else the changed
 * lines with their numbers.
 */
export function editsOfChanges(changes: unknown, made: Made): RecordedEdit[] {
  if (typeof changes !== 'object' || changes === null) return []
  return Object.entries(changes).flatMap(([path, change]) => {
    const { type, fields } = readChange(change)
    if (type === 'add') return [{ ...edit(made, path, ABSENT, textOf(fields)), mayReplace: true }]
    if (type === 'delete') return [edit(made, path, textOf(fields), ABSENT)]
    if (type !== 'update') return []
    const pieces = piecesOf(string(field(fields, 'unified_diff')) ?? '')
    const to = string(field(fields, 'move_path'))
    if (to === null) return [{ ...edit(made, path, OLD, NEW), pieces }]
    const target = { ...edit(made, to, OLD, NEW), pieces }
    const source = edit(made, path, OLD, ABSENT)
    return [source, { ...target, movedFrom: source.path }]
  })
}

const ABSENT: Recorded = { kind: 'absent' }
const OLD: Recorded = { kind: 'unknown', why: 'the old text was not recorded' }
const NEW: Recorded = { kind: 'unknown', why: 'the new text was not recorded' }

/** Older versions name the kind of change by the key that holds it. */
function readChange(change: unknown): { type: string | null; fields: unknown } {
  const type = string(field(change, 'type'))
  if (type !== null) return { type, fields: change }
  const key = ['add', 'delete', 'update'].find((name) => field(change, name) !== undefined)
  return { type: key ?? null, fields: key === undefined ? null : field(change, key) }
}

/** Exact, because a patch is UTF-8: a replacement character shows that something was lost. */
function textOf(fields: unknown): Recorded {
  const text = string(field(fields, 'content'))
  if (text === null) return { kind: 'unknown', why: 'the text was not recorded' }
  if (!text.isWellFormed() || text.includes('\ufffd'))
    return { kind: 'unknown', why: 'the recorded text is not exact' }
  return { kind: 'bytes', bytes: new TextEncoder().encode(text) }
}

function edit(
  { step, at, by, cwd }: Made,
  path: string,
  before: Recorded,
  after: Recorded,
): RecordedEdit {
  return { step, path: resolve(cwd ?? '/', path), before, after, pieces: [], by, at }
}

const HUNK = /^@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@/

/** The hunks of a unified diff; empty if it is damaged. */
export function piecesOf(diff: string): Piece[] {
  const lines = diff.split('\n')
  const pieces: Piece[] = []
  for (let at = 0; at < lines.length;) {
    const head = HUNK.exec(lines[at]!)
    at += 1
    if (head === null) continue
    const counts = [head[2], head[4]].map((text) => integer(Number(text ?? 1)) ?? 0)
    const sides: [string[], string[]] = [[], []]
    let hasEnd: [boolean, boolean] = [true, true]
    for (; at < lines.length; at++) {
      const line = lines[at]!
      const isFull = sides.every((side, n) => side.length >= counts[n]!)
      if (line.startsWith('\\')) {
        const sign = lines[at - 1]![0]
        hasEnd = [hasEnd[0] && sign === '+', hasEnd[1] && sign === '-']
        continue
      }
      if (isFull) break
      const [sign, text] = [line[0] ?? ' ', line.slice(1)]
      if (sign !== '+') sides[0].push(text)
      if (sign !== '-') sides[1].push(text)
    }
    if (!sides.every((side, n) => side.length === counts[n]!)) return []
    const [old, fresh] = sides.map((side, n) => joined(side, hasEnd[n]!))
    const begin = { before: Number(head[1]), after: Number(head[3]) }
    pieces.push({ old: old!, new: fresh!, all: false, lines: begin })
  }
  return pieces
}

/** Without carriage returns: recorded texts are compared without them. */
function joined(lines: readonly string[], hasEnd: boolean): string {
  const text = lines.map((line) => line.replace(/\r$/, '')).join('\n')
  return lines.length === 0 ? '' : hasEnd ? `${text}\n` : text
}
