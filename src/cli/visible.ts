/**
 * Makes text from transcripts and file names safe for a terminal. An escape sequence in a prompt
 * can retitle the window, write to the clipboard or hide lines. A bidirectional mark can make a
 * path read as another one. Both are replaced by visible symbols.
 */

/** C0 except newline and tab, DEL, C1, zero-width, bidirectional, line separators, and the BOM. */
const UNSEEN =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Joiners inside an emoji such as a family are harmless, so they stay. */
function isEmojiJoiner(text: string, at: number): boolean {
  // Built here, because every start would pay for their Unicode tables.
  return (
    text.charCodeAt(at) === 0x200d &&
    /\p{Extended_Pictographic}[\p{Emoji_Modifier}\ufe0f]*$/u.test(
      text.slice(Math.max(0, at - 8), at),
    ) &&
    /^\p{Extended_Pictographic}/u.test(text.slice(at + 1, at + 3))
  )
}

export function visible(text: string): string {
  return text.replace(UNSEEN, (char, at: number) => {
    if (isEmojiJoiner(text, at)) return char
    const code = char.charCodeAt(0)
    if (code === 0x0d) return '␍'
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    return `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** Applies `visible` to every string in plain data. Call it before colours are added. */
export function allVisible<T>(data: T): T {
  if (typeof data === 'string') return visible(data) as T
  if (Array.isArray(data)) return data.map((each: unknown) => allVisible(each)) as T
  if (typeof data !== 'object' || data === null) return data
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => [
      key,
      PATHS.has(key) ? onOneLine(allVisible<unknown>(value)) : allVisible<unknown>(value),
    ]),
  ) as T
}

/** The fields with file names. A line break in one could pass for a line of Retake's own. */
const PATHS = new Set(['path', 'from', 'filesReverted', 'filesRemoved', 'filesKept'])

function onOneLine(names: unknown): unknown {
  if (Array.isArray(names)) return names.map(onOneLine)
  return typeof names === 'string' ? names.replaceAll('\n', '␊') : names
}

/** JSON that is safe to print in a terminal: the same characters become \u escapes. */
export function safeJson(value: unknown): string {
  return escaped(JSON.stringify(value, null, 2))
}

/** Like `safeJson` on one line, for streams of objects. */
export function safeLine(value: unknown): string {
  return escaped(JSON.stringify(value))
}

function escaped(json: string): string {
  return json.replace(UNSEEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
