import { isPlain, QUOTE } from './json-bytes.ts'

type Scalar = string | number | boolean | null

/** Stands for a nested or very long value: it is there, and nobody has looked inside. */
export const NESTED = Symbol('nested')

export type SkimmedValue = Scalar | typeof NESTED

/** What types nearly always are: found again instead of made anew. */
const VALUES = namesByLength(['user', 'assistant', 'attachment', 'text', 'tool_use', 'tool_result', 'message', 'thinking']) // prettier-ignore

/** The value in these bytes; NESTED when it is no JSON after all, which the full parse will say. */
export function decode(bytes: Buffer, at: number, after: number): SkimmedValue {
  const first = bytes[at]
  if (first !== QUOTE) {
    const word = wordOf(first, after - at)
    if (word !== undefined) return word
  } else if (isPlain(bytes, at + 1, after))
    return nameOf(VALUES, bytes, at + 1, after - 1) ?? bytes.toString('latin1', at + 1, after - 1)
  try {
    return JSON.parse(bytes.toString('utf8', at, after)) as Scalar
  } catch {
    return NESTED
  }
}

/** By its first letter and length; a row with another word there is no row of an agent's. */
function wordOf(first: number | undefined, length: number): boolean | null | undefined {
  if (first === 0x66) return length === 5 ? false : undefined // f
  if (length !== 4) return undefined
  if (first === 0x74) return true // t
  return first === 0x6e ? null : undefined // n
}

/**
 * A text of a row before, and where it stands in the buffer, with its quotes. A row's parent is
 * mostly the row before, and to see that is quicker than to read the text again, and takes no
 * memory.
 */
export interface Remembered {
  text: string
  at: number
  /** 0 when there is none. */
  length: number
}

export function remembered(): Remembered {
  return { text: '', at: 0, length: 0 }
}

export function remember(
  what: Remembered,
  text: SkimmedValue | undefined,
  at: number,
  after: number,
): void {
  if (typeof text !== 'string') return
  what.text = text
  what.at = at
  what.length = after - at
}

/** Whether the same text stands at `at` again. */
export function isAgain(bytes: Buffer, at: number, end: number, last: Remembered): boolean {
  const { length, at: other } = last
  if (length === 0 || at + length > end) return false
  for (let i = length - 1; i >= 0; i--) if (bytes[at + i] !== bytes[other + i]) return false
  return true
}

interface Name<Text extends string> {
  readonly text: Text
  readonly bytes: Buffer
}

export function namesByLength<const Text extends string>(names: readonly Text[]): Name<Text>[][] {
  const table: Name<Text>[][] = []
  for (const text of names) (table[text.length] ??= []).push({ text, bytes: Buffer.from(text) })
  return table
}

export function nameOf<Text extends string>(
  table: Name<Text>[][],
  bytes: Buffer,
  from: number,
  to: number,
): Text | null {
  const candidates = table[to - from]
  if (candidates === undefined) return null
  next: for (const { text, bytes: wanted } of candidates) {
    for (let i = 0; i < wanted.length; i++) if (bytes[from + i] !== wanted[i]) continue next
    return text
  }
  return null
}
