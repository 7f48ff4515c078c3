import { createDamageMarks, type DamageMarks } from './damage-marks.ts'
import { QUOTE, skipScalar } from './json-bytes.ts'
import { createPatterns, type Patterns } from './row-patterns.ts'
import {
  ANY,
  createRowTexts,
  PARENT,
  TIME,
  UUID,
  viewOf,
  type RowTexts,
  type View,
} from './row-texts.ts'
import { decode, namesByLength, NESTED } from './skim-value.ts'
import { copy, copyFields, emptySkimmed, setField, type Fields, type Skimmed } from './skimmed.ts'

/** Ids, names and times are shorter than this. */
export const SHORT = 512
/** Treat unknown strings of at least this length as ids, which differ from row to row. */
const LIKE_AN_ID = 20

export const TOP = namesByLength([
  'type',
  'uuid',
  'parentUuid',
  'isSidechain',
  'timestamp',
  'message',
  'attachment',
] satisfies (keyof Fields)[])

/** What the walk through the start of a row found; positions are relative to the row. */
export interface Head {
  readonly row: Skimmed
  readonly nested: number
  readonly sound: number
  readonly depth: number
}

/** Which fields are at the end of a row. */
export interface End {
  readonly fields: Fields
  readonly bits: number
}

/** A row being skimmed, and the state left by earlier rows. */
export interface Reading {
  readonly row: Skimmed
  readonly marks: DamageMarks
  readonly texts: RowTexts
  readonly heads: Patterns<Head>
  readonly ends: Patterns<End>
  view: View
  /** Strings seen during the walk that differ from row to row. */
  readonly places: number[]
  /** Where the walk stopped because no wanted field follows; or -1. */
  headEnd: number
  /** The first nested value, or -1; where to continue in it, and at which depth. */
  nested: number
  goOn: number
  depth: number
  /** No other row begins before this position. */
  sound: number
}

export function createReading(): Reading {
  const texts = createRowTexts()
  return {
    row: emptySkimmed(),
    marks: createDamageMarks(),
    texts,
    heads: createPatterns(texts, 'begin', (head, row) => copy(head.row, row)),
    ends: createPatterns(texts, 'end', ({ fields, bits }, row) =>
      copyFields(fields, bits, row.fields),
    ),
    view: viewOf(Buffer.alloc(0)),
    places: [],
    headEnd: -1,
    nested: -1,
    goOn: -1,
    depth: 0,
    sound: -1,
  }
}

/** The position after the value; -1 if it is unclosed. */
export function readScalar(
  bytes: Buffer,
  at: number,
  end: number,
  key: keyof Fields | null,
  { row, texts, view, places }: Reading,
): number {
  const after = skipScalar(bytes, at, end)
  if (after === -1) return -1
  const kind = kindOf(key)
  if (kind !== null) addPlace(bytes, at, after, kind, places)
  if (key === null) return after
  if (after - at > SHORT) setField(row.fields, key, NESTED)
  else if (kind === null) setField(row.fields, key, decode(bytes, at, after))
  else setField(row.fields, key, texts.read(view, kind, at, after))
  return after
}

export function kindOf(key: keyof Fields | null): number | null {
  if (key === null) return ANY
  return key === 'uuid' ? UUID : key === 'parentUuid' ? PARENT : key === 'timestamp' ? TIME : null
}

/** Records the string that opens at `at`, if it is one that differs from row to row. */
export function addPlace(
  bytes: Buffer,
  at: number,
  after: number,
  kind: number,
  places: number[],
): void {
  const length = after - at - 2
  if (bytes[at] === QUOTE && (kind !== ANY || length >= LIKE_AN_ID))
    places.push(at + 1, length, kind)
}
