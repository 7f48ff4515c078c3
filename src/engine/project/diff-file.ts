import { Failure } from '#failure'
import {
  diffTexts,
  diffValues,
  holdsSecrets,
  type Contents,
  type FileDiff,
  type Piece,
  type Value,
  type ValueDiff,
} from '#timeline'

/** Whether the user asked to see the lines of files that may hold secrets (S14). */
export interface Reveal {
  readonly reveal: boolean
}

/** One path at two times. */
interface Change {
  readonly path: string
  /** The path before a rename. */
  readonly from?: string
  readonly before: Value
  readonly after: Value
}

/**
 * A file's change, line by line. Every diff that is shown, printed or sent is made here: a second
 * place could leak lines of a secret file.
 */
export function diffFile(contents: Contents, change: Change, how: Reveal): FileDiff {
  const { path, from, before, after } = change
  if (isHidden(path, how) || (from !== undefined && isHidden(from, how)))
    return { path, diff: { kind: 'not-text' }, hidden: true }
  return { path, diff: diffOf(contents, before, after, { links: true }) }
}

/** The recorded lines of a file whose whole text is not known. */
export function diffPieces(path: string, pieces: readonly Piece[], how: Reveal): FileDiff {
  if (isHidden(path, how)) return { path, diff: { kind: 'not-text' }, hidden: true }
  const hunks = pieces.flatMap(({ old, new: fresh, lines = { before: 1, after: 1 } }) =>
    diffTexts(old, fresh).map((hunk) => ({
      ...hunk,
      oldFrom: hunk.oldFrom + lines.before - 1,
      newFrom: hunk.newFrom + lines.after - 1,
    })),
  )
  return { path, diff: { kind: 'text', hunks } }
}

export function isHidden(path: string, { reveal }: Reveal): boolean {
  return !reveal && holdsSecrets(path)
}

/** Only for files that the caller knows are not hidden. Content deleted by gc gives `not-text`. */
export function diffOf(
  contents: Contents,
  from: Value,
  to: Value,
  how: { context?: number; links?: boolean } = {},
): ValueDiff {
  try {
    return diffValues(contents, from, to, how)
  } catch (error) {
    if (error instanceof Failure) return { kind: 'not-text' }
    throw error
  }
}
