import { nameBytes } from '#disk'
import { matchGlob } from './glob.ts'

/** One line of an ignore file. */
interface Rule {
  /** The prefix before the first special character, compared as plain text. */
  readonly literal: string
  readonly glob: string
  /** The suffix to compare if the rest of the pattern is a single `*`; otherwise null. */
  readonly ending: string | null
  readonly isNegated: boolean
  readonly onlyDirectories: boolean
  /**
   * A pattern without a slash applies to the name, otherwise to the path from the file's directory.
   */
  readonly isAboutName: boolean
}

/** The rules of one ignore file, in file order. */
export type IgnoreRules = readonly Rule[]

const SPECIAL = /[*?[\\]/u

/**
 * Parses an ignore file as git does, byte for byte. With `ignoresCase`, the entries given to `decide`
 * must be folded too.
 */
export function parseIgnoreFile(bytes: Buffer, ignoresCase = false): IgnoreRules {
  let text = bytes.toString('latin1')
  if (ignoresCase) text = foldAscii(text)
  // The UTF-8 byte order mark.
  if (text.startsWith('\xef\xbb\xbf')) text = text.slice(3)
  const rules: Rule[] = []
  for (const line of text.split('\n')) {
    const rule = parseLine(line.endsWith('\r') ? line.slice(0, -1) : line)
    if (rule !== null) rules.push(rule)
  }
  return rules
}

function parseLine(line: string): Rule | null {
  if (line.startsWith('#')) return null
  let pattern = trimSpaces(line)
  const isNegated = pattern.startsWith('!')
  if (isNegated) pattern = pattern.slice(1)
  const onlyDirectories = pattern.endsWith('/')
  if (onlyDirectories) pattern = pattern.slice(0, -1)
  const isAboutName = !pattern.includes('/')
  if (pattern.startsWith('/')) pattern = pattern.slice(1)
  if (pattern === '') return null
  const special = pattern.search(SPECIAL)
  const literal = special < 0 ? pattern : pattern.slice(0, special)
  const glob = pattern.slice(literal.length)
  const isEnding = isAboutName && glob.startsWith('*') && !SPECIAL.test(glob.slice(1))
  const ending = isEnding ? glob.slice(1) : null
  return { literal, glob, ending, isNegated, onlyDirectories, isAboutName }
}

/** Removes trailing spaces, except those after a backslash. */
function trimSpaces(line: string): string {
  let end = 0
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '\\') {
      at += 1
      end = Math.min(at + 1, line.length)
    } else if (line[at] !== ' ') end = at + 1
  }
  return line.slice(0, end)
}

/** The verdict of one ignore file about an entry; null if no rule matches. */
export function decide(
  rules: IgnoreRules,
  /** Both as `byteText`; the path is relative to the ignore file's directory. */
  entry: { readonly path: string; readonly name: string; readonly isDirectory: boolean },
): 'ignored' | 'kept' | null {
  // The last matching rule wins.
  for (let n = rules.length - 1; n >= 0; n -= 1) {
    const rule = rules[n]!
    if (rule.onlyDirectories && !entry.isDirectory) continue
    const text = rule.isAboutName ? entry.name : entry.path
    const fits =
      rule.glob === ''
        ? text === rule.literal
        : text.startsWith(rule.literal) &&
          (rule.ending === null
            ? matchGlob(rule.glob, text.slice(rule.literal.length))
            : // Fast path: a suffix comparison rules out most names.
              text.length >= rule.literal.length + rule.ending.length && text.endsWith(rule.ending))
    if (fits) return rule.isNegated ? 'kept' : 'ignored'
  }
  return null
}

/** Git ignores case only in ASCII. */
export function foldAscii(text: string): string {
  return text.replace(/[A-Z]+/gu, (letters) => letters.toLowerCase())
}

const ASCII = /^[\0-\x7f]*$/u

/** A path with one character per byte, because git's `?` matches one byte. */
export function byteText(path: string): string {
  return ASCII.test(path) ? path : nameBytes(path).toString('latin1')
}
