import { add, remedy, command, type Remedy } from '#failure'
import type { Doubt } from '../cell/index.ts'

/** Something that an operation leaves alone. Plans and receipts list all of it (sem.A5). */
export interface LeftReport {
  /** Relative to the project if inside, else absolute. Null if it is not about a single path. */
  readonly path: string | null
  readonly kind: LeftKind
  /** For display: a clause that follows the path, or a full clause without a path. */
  readonly why: string
  /** The option that includes it. */
  readonly include?: 'includeUnsure'
  /** The directory that the user can agree to, so that changes in it are undone too. */
  readonly agree?: string
  /** An earlier version of it is in the store. */
  readonly earlier?: true
}

export type LeftKind =
  | Doubt // it may not be the turn's change
  | 'not-covered' // the content before, or a command's effect, is unknown
  | 'purged' // the user had Retake's copies deleted
  | 'too-large'
  | 'special' // a pipe, socket or device
  | 'other-file-system'
  | 'nested-repository'
  | 'directory-mode'
  | 'extended-attributes'
  | 'ignored'
  | 'outside' // it is outside of the project

/** The changes that the user can choose to include. */
export function includable(left: readonly LeftReport[]): LeftReport[] {
  return left.filter(({ include }) => include !== undefined)
}

/** The description, the same on every surface. */
export function wordsForLeft({ path, why }: LeftReport): string {
  return path === null ? why : `${path}: ${why}`
}

/** The description, with what the user can do about it. */
export function sayLeft(left: LeftReport): Remedy {
  const words = wordsForLeft(left)
  if (left.agree !== undefined) return remedy`${words} (${add('agree', left.agree)} to undo it too)`
  if (left.earlier === true && left.path !== null)
    return remedy`${words} (${command('where', [left.path])} to see an earlier version)`
  return words
}
