/** An @ and the start of a path. */
export interface AtToken {
  /** Offsets of the @ and of the caret. */
  readonly from: number
  readonly to: number
  readonly typed: string
}

/** An @ at the start of a word, up to the caret. Agents quote paths with spaces. */
const AT = /(?:^|[\s([{])@(?:"([^"\n]*)|([^\s"@]*))$/

export function findAt(text: string, caret: number): AtToken | null {
  const before = text.slice(0, caret)
  const match = AT.exec(before)
  if (match === null) return null
  const from = before.lastIndexOf('@', before.length - 1 - (match[1] ?? match[2] ?? '').length)
  return { from, to: caret, typed: match[1] ?? match[2] ?? '' }
}

/** Replaces what was typed with the path, and says where the caret goes. */
export function insertPath(
  text: string,
  { from, to }: AtToken,
  path: string,
): { text: string; caret: number } {
  const quoted = /\s/.test(path)
  const isDirectory = path.endsWith('/')
  // No space or closing quote after a directory, so that the user can type on.
  const end = isDirectory ? '' : quoted ? '" ' : ' '
  const mention = `@${quoted ? '"' : ''}${path}${end}`
  const rest = text.slice(to)
  const after = end.endsWith(' ') && rest.startsWith(' ') ? rest.slice(1) : rest
  return { text: text.slice(0, from) + mention + after, caret: from + mention.length }
}
