/**
 * Where the parts of a JSON text stand. Settings are edited as text, at the one place that
 * changes: printing them anew would lose the user's indentation, line ends and number spellings.
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
  /** Of the key, or of the value where there is none. */
  readonly start: number
  readonly value: JsonValue
}

/** The text must be valid JSON; a byte order mark before it is stepped over. */
export function outlineJson(text: string): JsonValue {
  // Settings are foreign text: a stack of our own, because a call per level would overflow.
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

/** The member that counts: of two with one name JSON readers take the last. */
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
