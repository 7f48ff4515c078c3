import type { Contents, FileValue, Value } from '../data/index.ts'
import { isBinary } from './lines.ts'
import { markText, settleText, type Choice, type MarkLabels } from './merge-mark.ts'
import type { Three } from './merge-text.ts'
import { losesOnlyWhitespace, regionForUsers, type ConflictRegion } from './merge.ts'

export type { Choice } from './merge-mark.ts'

/**
 * One choice for the whole path, or one for each conflicting place in order. `keep-mine` for a
 * place keeps those lines; the rest of the file still changes.
 */
export type PathChoice = Choice | readonly Choice[]

/** The sides of a conflict at one path. */
export interface ConflictSides {
  /** The common base. Null: there is nothing to merge, one side would replace the other. */
  readonly base: Value | null
  readonly ours: Value
  readonly theirs: Value
  /** What `theirs` is: the state before the turns, after them, or on another branch. */
  readonly way: 'back' | 'forward' | 'across'
}

/** A conflict for display: the present file against the result of the whole operation. */
export interface ConflictView {
  readonly choices: readonly Choice[]
  readonly regions: readonly ConflictRegion[]
  readonly onlyWhitespace: boolean
}

/** `three` is null if several paths are involved, which markers cannot show. */
export function viewConflict(contents: Contents, three: Three<Value> | null): ConflictView {
  const choices: Choice[] = ['keep-mine']
  if (three?.theirs.kind !== 'unknown') choices.push('put-back')
  const texts = three === null ? null : textsOf(contents, three)
  if (texts === null) return { choices, regions: [], onlyWhitespace: false }
  return {
    choices: [...choices, 'mark'],
    regions: markText(texts, { ours: '', theirs: '' }).regions.map(regionForUsers),
    onlyWhitespace: losesOnlyWhitespace(texts),
  }
}

/**
 * The file with both versions and markers, or with the choice for each place. Null if a version is
 * not text, or if the number of choices is wrong.
 */
export function markValue(
  contents: Contents,
  three: Three<Value>,
  labels: MarkLabels,
  choices: readonly Choice[] | null = null,
): FileValue | null {
  const texts = textsOf(contents, three)
  if (texts === null || three.ours.kind !== 'file') return null
  const { bytes, regions } = settleText(texts, labels, (place) => choices?.[place] ?? 'mark')
  if (choices !== null && choices.length !== regions.length) return null
  return { kind: 'file', content: contents.add(bytes), mode: three.ours.mode }
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
