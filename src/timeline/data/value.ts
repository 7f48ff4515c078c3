/**
 * What is at a path. `absent` is a value and differs from an empty file. `unknown` is not `absent`:
 * a cell with an unknown side is never inverted and never deletes (sem.A6).
 */
export type Value = Absent | FileValue | SymlinkValue | Unknown

export interface Absent {
  readonly kind: 'absent'
}

export interface FileValue {
  readonly kind: 'file'
  readonly content: ContentId
  /** Permission bits only, such as 0o644. */
  readonly mode: number
}

export interface SymlinkValue {
  readonly kind: 'symlink'
  readonly target: string
}

export interface Unknown {
  readonly kind: 'unknown'
  /** For display: why the value is unknown. */
  readonly why: string
}

/** The git blob id of the bytes: 40 hex digits of SHA-1 over `blob LENGTH\0` and the bytes. */
export type ContentId = string & { readonly brand: 'ContentId' }

/**
 * A path in the project, relative to its root, with `/` between parts and no `.` or `..`. Names are
 * bytes on Linux: a byte that is not UTF-8 becomes a lone surrogate, U+DC80 to U+DCFF, so that two
 * names never become the same string. The disk room converts it back.
 */
export type ProjectPath = string & { readonly brand: 'ProjectPath' }

export const absent: Absent = { kind: 'absent' }

/** Two unknowns are never the same, because they may differ. */
export function sameValue(a: Value, b: Value): boolean {
  if (a.kind === 'file') return b.kind === 'file' && a.content === b.content && a.mode === b.mode
  if (a.kind === 'symlink') return b.kind === 'symlink' && a.target === b.target
  return a.kind === 'absent' && b.kind === 'absent'
}
