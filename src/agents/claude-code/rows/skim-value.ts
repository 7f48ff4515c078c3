import { isPlain, QUOTE } from './json-bytes.ts'

type Scalar = string | number | boolean | null

/** Stands for a nested or very long value that was not decoded. */
export const NESTED = Symbol('nested')

export type SkimmedValue = Scalar | typeof NESTED

/** Common values of `type`: reused instead of allocated. */
const VALUES = namesByLength(['user', 'assistant', 'attachment', 'text', 'tool_use', 'tool_result', 'message', 'thinking']) // prettier-ignore

/** Decodes the value; NESTED if it is not valid JSON, which the full parse then reports. */
export function decode(bytes: Buffer, at: number, after: number): SkimmedValue {
  const first = bytes[at]
  if (first !== QUOTE) {
    const word = wordOf(first, after - at)
    if (word !== undefined) return word
  } else if (isPlain(bytes, at + 1, after))
    return nameOf(VALUES, bytes, at + 1, after - 1) ?? plainText(bytes, at + 1, after - 1)
  try {
    return JSON.parse(bytes.toString('utf8', at, after)) as Scalar
  } catch {
    return NESTED
  }
}

/** For ASCII. `toString` looks up the encoding name on every call. */
export function plainText(bytes: Buffer, from: number, to: number): string {
  return (bytes as Sliced).latin1Slice(from, to)
}

interface Sliced extends Buffer {
  latin1Slice(from: number, to: number): string
}

/** By first letter and length, because agents write no other words here. */
function wordOf(first: number | undefined, length: number): boolean | null | undefined {
  if (first === 0x66) return length === 5 ? false : undefined // f
  if (length !== 4) return undefined
  if (first === 0x74) return true // t
  return first === 0x6e ? null : undefined // n
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
