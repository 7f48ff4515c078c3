import type { DiffHunk, FileAtReport, FileHistoryReport, MomentsReport } from '#timeline'
import { hunksOf } from './show-view.ts'

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
  /** What can be put back alone: each run of lines that differ, in the order of the hunks. */
  parts: { key: string; old: [number, number]; now: [number, number] }[]
  /** From then to now. Null: not text, or one side is not known. */
  hunks: DiffHunk[] | null
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
    parts: parts.map(({ key, old, now }) => ({
      key,
      old: [old.from + 1, old.to],
      now: [now.from + 1, now.to],
    })),
  }
}

export function fileHistoryView({ versions, lines, ...rest }: FileHistoryReport): FileHistoryView {
  return {
    schema: 'retake.file-history/1',
    ...rest,
    versions: versions.map((version) => ({ ...version })),
    lines: lines === null ? null : lines.map((line) => ({ ...line })),
  }
}
