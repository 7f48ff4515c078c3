/**
 * The positions of the parts of a JSON text. Settings are edited as text, only where they change:
 * printing them again would lose the user's indentation, line ends and number spellings.
 */
export interface JsonValue {
  readonly kind: 'object' | 'array' | 'plain'
  readonly start: number
  end: number
  readonly parts: JsonPart[]
}

export interface JsonPart {
  /** Null in an array. */
  readonly key: string | null
  /** The start of the key, or of the value if there is no key. */
  readonly start: number
  readonly value: JsonValue
}

/** The text must be valid JSON. A byte order mark is skipped. */
export function outlineJson(text: string): JsonValue {
  // An explicit stack, because recursion could overflow on deeply nested settings.
  const open: JsonValue[] = []
  let key: { text: string; start: number } | null = null
  let root: JsonValue | null = null
  let at = text.startsWith('\uFEFF') ? 1 : 0

  const begin = (kind: JsonValue['kind']): JsonValue => {
    const value: JsonValue = { kind, start: at, end: at, parts: [] }
    const container = open.at(-1)
    root ??= value
    container?.parts.push({ key: key?.text ?? null, start: key?.start ?? at, value })
    key = null
    return value
  }

  while (at < text.length) {
    const char = text[at]!
    if (char === '{' || char === '[') {
      open.push(begin(char === '{' ? 'object' : 'array'))
      at++
    } else if (char === '}' || char === ']') {
      open.pop()!.end = ++at
    } else if (/[\s,:]/.test(char)) {
      at++
    } else {
      const end = char === '"' ? endOfString(text, at) : endOfWord(text, at)
      const container = open.at(-1)
      if (container?.kind === 'object' && key === null) {
        key = { text: JSON.parse(text.slice(at, end)) as string, start: at }
        at = end
      } else {
        const value = begin('plain')
        at = end
        value.end = at
      }
    }
  }
  return root!
}

/** The last member of that name, because JSON parsers use the last of duplicates. */
export function memberOf(object: JsonValue, key: string): JsonValue | undefined {
  return object.parts.findLast((part) => part.key === key)?.value
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at + 1
}

function endOfWord(text: string, start: number): number {
  let at = start
  while (at < text.length && !/[\s,:[\]{}"]/.test(text[at]!)) at++
  return at
}
