import type { Contents, FileValue, Value } from '../data/index.ts'
import { isBinary } from './lines.ts'
import { markText, settleText, type Choice, type MarkLabels } from './merge-mark.ts'
import type { Three } from './merge-text.ts'
import { losesOnlyWhitespace, regionForPeople, type ConflictRegion } from './merge.ts'

export type { Choice } from './merge-mark.ts'

/**
 * For the whole path, or for each of its places in conflict in their order. `keep-mine` for one
 * place keeps those lines; the rest of the file moves.
 */
export type PathChoice = Choice | readonly Choice[]

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

/**
 * The file with both versions and markers in it, or with what was chosen for each place; null where
 * one of the versions is no text, or there are not as many choices as places.
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
