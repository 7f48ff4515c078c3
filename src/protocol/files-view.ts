import type {
  DiffHunk,
  FileAtReport,
  FileHistoryReport,
  LeftReport,
  MomentsReport,
  RestorablePart,
  SessionChangesReport,
  TurnName,
} from '#timeline'
import { hunksOf, type HunksView } from './show-view.ts'

type Writable<T> = T extends string
  ? T
  : T extends readonly (infer Each)[]
    ? Writable<Each>[]
    : T extends object
      ? { -readonly [Name in keyof T]: Writable<T[Name]> }
      : T

export interface MomentsView extends Writable<MomentsReport> {
  schema: 'retake.moments/1'
}

export interface FileAtView extends Omit<FileAtReport, 'diff' | 'parts'> {
  schema: 'retake.file-at/1'
  /** What can be restored separately: each run of differing lines, in the order of the hunks. */
  parts: { key: string; old: [number, number]; now: [number, number] }[]
  /** From then to now. Null if it is not text, or one side is unknown. */
  hunks: DiffHunk[] | null
}

/** Changes by the turns of a session that are still in the files. */
export interface ChangesView {
  schema: 'retake.changes/1'
  session: string
  files: ChangedFileView[]
  /** Changes that may not be the turns', or that cannot be undone. */
  left: LeftReport[]
}

export interface ChangedFileView extends HunksView {
  /** Identifies this state of the change; any edit of the file gives another key. */
  key: string
  /** The same lines changed since: undoing needs a decision. */
  conflict: boolean
  /** Others edited the file too; their edits are not part of the change. */
  hasOthersEdits: boolean
  turns: TurnName[]
  /** What can be undone separately: each run of differing lines, in the order of the hunks. */
  parts: { key: string; old: [number, number]; now: [number, number] }[]
}

/** File names of the project that match what was typed, best first. */
export interface ProjectFilesView {
  schema: 'retake.project-files/1'
  session: string
  /** Relative to the agent's working directory; directories end with a slash. */
  files: string[]
  /** False if the project has more files than are listed. */
  whole: boolean
}

export interface FileHistoryView extends Writable<FileHistoryReport> {
  schema: 'retake.file-history/1'
}

export function momentsView({ turns, files, ...rest }: MomentsReport): MomentsView {
  return {
    schema: 'retake.moments/1',
    ...rest,
    turns: turns.map((turn) => ({ ...turn, steps: turn.steps.map((step) => ({ ...step })) })),
    files: [...files],
  }
}

export function fileAtView({ diff, parts, ...rest }: FileAtReport): FileAtView {
  return {
    schema: 'retake.file-at/1',
    ...rest,
    hunks: hunksOf({ path: rest.path, diff }).hunks,
    parts: parts.map(partView),
  }
}

export function changesView({ session, files, left }: SessionChangesReport): ChangesView {
  return {
    schema: 'retake.changes/1',
    session,
    files: files.map(({ path, diff, hidden, parts, turns, ...rest }) => ({
      ...hunksOf({ path, diff, ...(hidden ? { hidden } : {}) }),
      ...rest,
      turns: [...turns],
      parts: parts.map(partView),
    })),
    left: [...left],
  }
}

function partView({ key, old, now }: RestorablePart): FileAtView['parts'][number] {
  return { key, old: [old.from + 1, old.to], now: [now.from + 1, now.to] }
}

export function fileHistoryView({ versions, lines, ...rest }: FileHistoryReport): FileHistoryView {
  return {
    schema: 'retake.file-history/1',
    ...rest,
    versions: versions.map((version) => ({ ...version })),
    lines: lines === null ? null : lines.map((line) => ({ ...line })),
  }
}
