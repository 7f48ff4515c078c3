/** An @ with the beginning of a file's name. */
export interface AtToken {
  /** Where the @ stands, and where the caret is. */
  readonly from: number
  readonly to: number
  readonly typed: string
}

/** An @ at the start of a word, up to the caret. A name with spaces is in quotes, as agents write it. */
const AT = /(?:^|[\s([{])@(?:"([^"\n]*)|([^\s"@]*))$/

export function findAt(text: string, caret: number): AtToken | null {
  const before = text.slice(0, caret)
  const match = AT.exec(before)
  if (match === null) return null
  const from = before.lastIndexOf('@', before.length - 1 - (match[1] ?? match[2] ?? '').length)
  return { from, to: caret, typed: match[1] ?? match[2] ?? '' }
}

/** The text with the path in place of what was typed, and where the caret goes. */
export function insertPath(
  text: string,
  { from, to }: AtToken,
  path: string,
): { text: string; caret: number } {
  const quoted = /\s/.test(path)
  const isDirectory = path.endsWith('/')
  // A directory is left open, so that the name of a file in it can be typed on.
  const end = isDirectory ? '' : quoted ? '" ' : ' '
  const mention = `@${quoted ? '"' : ''}${path}${end}`
  const rest = text.slice(to)
  const after = end.endsWith(' ') && rest.startsWith(' ') ? rest.slice(1) : rest
  return { text: text.slice(0, from) + mention + after, caret: from + mention.length }
}
