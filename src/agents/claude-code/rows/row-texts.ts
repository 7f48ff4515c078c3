import { QUOTE } from './json-bytes.ts'
import { decode, plainText, type SkimmedValue } from './skim-value.ts'
import type { Skimmed } from './skimmed.ts'

/** The kind of string at a position of a row; ANY is a string that is not needed. */
export const ANY = 0
export const PARENT = 1
export const MESSAGE = 2
export const CALL = 3
export const UUID = 4
export const TIME = 5

/** Triples of position, length and kind. */
export type TextPlaces = ArrayLike<number>
export const PER_TEXT = 3

/** Strings are compared in words of this many bytes; shorter ones are not compared. */
export const WORD = 4

/** The same bytes twice: one to read words, one to read strings. */
export interface View {
  readonly bytes: Buffer
  readonly words: DataView
}

export function viewOf(bytes: Buffer): View {
  return { bytes, words: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength) }
}

/**
 * Reads the strings of a row. A row's parent is mostly the row before, and rows of one answer have
 * the same message id. Detecting that is faster than decoding again, and allocates nothing.
 */
export interface RowTexts {
  /** Call when the content of the buffer changed. */
  forget(): void
  /** For strings that are ids. Their positions are relative to `origin`. */
  take(view: View, places: TextPlaces, origin: number, row: Skimmed): void
  /** Any value from `at` to `after`. */
  read(view: View, kind: number, at: number, after: number): SkimmedValue
}

interface Remembered {
  text: string
  at: number
  /** 0 if empty. */
  length: number
}

export function createRowTexts(): RowTexts {
  const uuid: Remembered = { text: '', at: 0, length: 0 }
  const message: Remembered = { text: '', at: 0, length: 0 }
  const call: Remembered = { text: '', at: 0, length: 0 }
  const lastOf = (kind: number): Remembered =>
    kind === MESSAGE ? message : kind === CALL ? call : uuid
  return {
    forget() {
      uuid.length = message.length = call.length = 0
    },
    take({ bytes, words }, places, origin, row) {
      for (let i = 0; i < places.length; i += PER_TEXT) {
        const at = origin + places[i]!
        const length = places[i + 1]!
        const kind = places[i + 2]!
        if (kind === ANY) continue
        const last = lastOf(kind)
        const text = isSame(words, at, length, last) ? last.text : plainText(bytes, at, at + length)
        if (kind === PARENT) row.fields.parentUuid = text
        else if (kind === TIME) row.fields.timestamp = text
        else {
          if (kind === UUID) row.fields.uuid = text
          else if (kind === MESSAGE) row.messageId = text
          else row.call = text
          note(last, text, at, length)
        }
      }
    },
    read({ bytes, words }, kind, at, after) {
      if (bytes[at] !== QUOTE || kind === TIME) return decode(bytes, at, after)
      const length = after - at - 2
      const last = lastOf(kind)
      const isAgain = isSame(words, at + 1, length, last)
      const text = isAgain ? last.text : decode(bytes, at, after)
      // A string with an escape is shorter than its bytes, and bytes are what is compared.
      const isPlain = typeof text === 'string' && text.length === length && length >= WORD
      if (isPlain && kind !== PARENT) note(last, text, at + 1, length)
      return text
    },
  }
}

function note(what: Remembered, text: string, at: number, length: number): void {
  what.text = text
  what.at = at
  what.length = length
}

function isSame(words: DataView, at: number, length: number, other: Remembered): boolean {
  if (length !== other.length || length === 0) return false
  const last = length - WORD
  for (let i = 0; i < last; i += WORD)
    if (words.getInt32(at + i, true) !== words.getInt32(other.at + i, true)) return false
  return words.getInt32(at + last, true) === words.getInt32(other.at + last, true)
}

/** ASCII from `(` on, except the backslash: no quotes and no control characters. */
export function isId(words: DataView, at: number, length: number): boolean {
  const last = length - WORD
  if (last < 0) return false
  for (let i = 0; i < last; i += WORD) if (!isIdWord(words.getInt32(at + i, true))) return false
  return isIdWord(words.getInt32(at + last, true))
}

const HIGH = 0x80_80_80_80 | 0

/** Checks four bytes at once; no addition carries into the next byte. */
function isIdWord(word: number): boolean {
  const low = word & ~HIGH
  const isFromParenthesis = low + 0x58_58_58_58
  const isNoBackslash = (low ^ 0x5c_5c_5c_5c) + 0x7f_7f_7f_7f
  return (isFromParenthesis & isNoBackslash & ~word & HIGH) === HIGH
}
