import { blobId } from '#disk'
import {
  countLines,
  diffTexts,
  type ContentId,
  type Contents,
  type FileDiff,
  type FileNote,
  type FileReport,
  type Recorded,
  type RecordedEdit,
  type Value,
} from '#timeline'
import { diffFile, diffPieces, projectPaths, type Reveal } from '../project/index.ts'
import { evidenceOf } from '../witness/index.ts'

/** The turn's diff of each file, as far as both sides are known. */
export function diffFiles(
  edits: readonly RecordedEdit[],
  project: string | null,
  how: Reveal,
  then: EditPaths,
): FileDiff[] {
  const contents = makeContents()
  return groupByFile(edits, project, then).map(({ path, list }) => {
    const pieces = list.flatMap((each) => each.pieces)
    const isPartly = [list[0]!.before, list.at(-1)!.after].some(({ kind }) => kind === 'unknown')
    // Only numbered lines say where they were.
    if (isPartly && pieces.length > 0 && pieces.every(({ lines }) => lines !== undefined))
      return diffPieces(path, pieces, how)
    return diffFile(
      contents,
      {
        path,
        before: valueOf(list[0]!.before, contents),
        after: valueOf(list.at(-1)!.after, contents),
      },
      how,
    )
  })
}

/** The paths of edits as the ledger has them, by their evidence. */
export type EditPaths = ReadonlyMap<string, string>

/**
 * Groups edits by file: two spellings of a path are one file (sem.A11). Symlinks may have changed
 * since an edit, so the path in the ledger comes first.
 */
function groupByFile(
  edits: readonly RecordedEdit[],
  project: string | null,
  then: EditPaths,
): { path: string; inside: boolean; list: RecordedEdit[] }[] {
  const pathOf = project === null ? () => null : projectPaths(project)
  const find = (edit: RecordedEdit): string | null =>
    then.get(evidenceOf(edit)) ?? pathOf(edit.path)
  return [...Map.groupBy(edits, (edit) => find(edit) ?? edit.path)].map(([path, list]) => ({
    path,
    inside: find(list[0]!) !== null,
    list,
  }))
}

/** Where symlinks lead now, for each edit. */
export function presentPaths(edits: readonly RecordedEdit[], project: string | null): EditPaths {
  const pathOf = project === null ? () => null : projectPaths(project)
  return new Map(edits.map((edit) => [evidenceOf(edit), pathOf(edit.path) ?? edit.path]))
}

/** One entry per file: from before the turn's first edit of it to after its last. */
export function reportFiles(
  edits: readonly RecordedEdit[],
  project: string | null,
  then: EditPaths = new Map(),
): FileReport[] {
  return groupByFile(edits, project, then).map(({ path, inside, list }) =>
    reportFile(path, inside, list),
  )
}

function reportFile(path: string, inside: boolean, edits: readonly RecordedEdit[]): FileReport {
  const before = edits[0]!.before
  const after = edits.at(-1)!.after
  const counted =
    before.kind === 'unknown' || after.kind === 'unknown'
      ? countPieces(edits)
      : countBetween(before, after)
  return {
    path,
    change: before.kind === 'absent' ? 'created' : after.kind === 'absent' ? 'deleted' : 'modified',
    ...counted,
    by: edits.some(({ by }) => by === 'agent') ? 'agent' : 'subagent',
    notes: notesOn(before, after, inside),
  }
}

function notesOn(before: Recorded, after: Recorded, inside: boolean): FileNote[] {
  const notes: FileNote[] = []
  if (before.kind === 'unknown') notes.push('old-text-not-recorded')
  else if (before.kind === 'text' || after.kind === 'text') notes.push('line-endings-not-recorded')
  if (!inside) notes.push('outside-project')
  return notes
}

/** Counts the replaced pieces, for a file whose whole text is not known. */
function countPieces(edits: readonly RecordedEdit[]): { added: number; removed: number } {
  let [added, removed] = [0, 0]
  for (const { pieces, after } of edits) {
    for (const piece of pieces) {
      const lines = diffTexts(piece.old, piece.new).flatMap((hunk) => hunk.lines)
      removed += lines.filter(({ change }) => change === 'removed').length
      added += lines.filter(({ change }) => change === 'added').length
    }
    if (pieces.length === 0 && after.kind === 'text') added += linesIn(after.text)
  }
  return { added, removed }
}

function linesIn(text: string): number {
  if (text === '') return 0
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}

function countBetween(before: Recorded, after: Recorded): { added: number; removed: number } {
  const contents = makeContents()
  const { added, removed } = countLines(
    contents,
    valueOf(before, contents),
    valueOf(after, contents),
  )
  return { added, removed }
}

/** For counting and showing only: the mode of a recorded file is not known. */
function valueOf(recorded: Recorded, contents: Contents): Value {
  if (recorded.kind === 'absent' || recorded.kind === 'unknown') return recorded
  const bytes = recorded.kind === 'bytes' ? recorded.bytes : Buffer.from(recorded.text)
  return { kind: 'file', content: contents.add(bytes), mode: 0o644 }
}

function makeContents(): Contents {
  const known = new Map<ContentId, Uint8Array>()
  return {
    bytes: (id) => known.get(id)!,
    has: (id) => known.has(id),
    add(bytes) {
      const id = blobId(Buffer.from(bytes)) as ContentId
      known.set(id, bytes)
      return id
    },
  }
}
