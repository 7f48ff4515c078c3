import type { Contents } from './contents.ts'
import { isBinary } from './lines.ts'
import { markText, type MarkLabels } from './merge-mark.ts'
import type { Three } from './merge-text.ts'
import { losesOnlyWhitespace, regionForPeople, type ConflictRegion } from './merge.ts'
import type { FileValue, Value } from './value.ts'

/**
 * What to do with a path in conflict, for the whole operation (sem.M7): leave it out of the
 * operation, write what the operation wants over what is there, or write both with markers.
 */
export type Choice = 'keep-mine' | 'put-back' | 'mark'

/** What a conflict at one path is between. */
export interface ConflictSides {
  /** What both started from. Null: nothing is merged here, the one would only replace the other. */
  readonly base: Value | null
  readonly ours: Value
  readonly theirs: Value
  /** Where `theirs` lies: before what the turns did, after it, or on another branch. */
  readonly way: 'back' | 'forward' | 'across'
}

/** A conflict as people see it: the file now against what the whole operation wants there. */
export interface ConflictView {
  readonly choices: readonly Choice[]
  readonly regions: readonly ConflictRegion[]
  readonly onlyWhitespace: boolean
}

/** `null` for the values: more than one path is involved, which no marker can show. */
export function viewConflict(contents: Contents, three: Three<Value> | null): ConflictView {
  const choices: Choice[] = ['keep-mine']
  if (three?.theirs.kind !== 'unknown') choices.push('put-back')
  const texts = three === null ? null : textsOf(contents, three)
  if (texts === null) return { choices, regions: [], onlyWhitespace: false }
  return {
    choices: [...choices, 'mark'],
    regions: markText(texts, { ours: '', theirs: '' }).regions.map(regionForPeople),
    onlyWhitespace: losesOnlyWhitespace(texts),
  }
}

/** The file with both versions and markers in it; null where one of them is no text. */
export function markValue(
  contents: Contents,
  three: Three<Value>,
  labels: MarkLabels,
): FileValue | null {
  const texts = textsOf(contents, three)
  if (texts === null || three.ours.kind !== 'file') return null
  const content = contents.add(markText(texts, labels).bytes)
  return { kind: 'file', content, mode: three.ours.mode }
}

function textsOf(contents: Contents, { base, ours, theirs }: Three<Value>) {
  if (base.kind !== 'file' || ours.kind !== 'file' || theirs.kind !== 'file') return null
  const texts = {
    base: contents.bytes(base.content),
    ours: contents.bytes(ours.content),
    theirs: contents.bytes(theirs.content),
  }
  return Object.values(texts).some(isBinary) ? null : texts
}
