import { isUtf8 } from 'node:buffer'
import { Failure } from '#failure'

const ESCAPE = 0xdc00

/**
 * Decodes a file name. A byte that is not UTF-8 becomes a lone surrogate, U+DC80 to U+DCFF. With
 * U+FFFD, two different files would get the same name and one would overwrite the other.
 */
export function nameText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString('utf8')
  let text = ''
  let at = 0
  while (at < bytes.length) {
    const length = sequenceLength(bytes[at]!)
    const sequence = bytes.subarray(at, at + length)
    if (length > 0 && sequence.length === length && isUtf8(sequence)) {
      text += sequence.toString('utf8')
      at += length
    } else {
      text += String.fromCharCode(ESCAPE + bytes[at]!)
      at += 1
    }
  }
  return text
}

/** The length of a UTF-8 sequence with this first byte. 0 if no sequence starts with it. */
function sequenceLength(first: number): number {
  if (first < 0x80) return 1
  if (first >= 0xc2 && first < 0xe0) return 2
  if (first >= 0xe0 && first < 0xf0) return 3
  if (first >= 0xf0 && first < 0xf5) return 4
  return 0
}

/**
 * The inverse of `nameText`. Throws on text that no name decodes to, because a guess could hit
 * another file.
 */
export function nameBytes(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8')
  const parts: Buffer[] = []
  for (const character of text) {
    const unit = character.charCodeAt(0)
    const escaped = character.length === 1 && unit >= ESCAPE + 0x80 && unit <= ESCAPE + 0xff
    parts.push(escaped ? Buffer.from([unit - ESCAPE]) : Buffer.from(character, 'utf8'))
  }
  const bytes = Buffer.concat(parts)
  // Other lone surrogates, and escapes that together form a character, would be a second text for
  // the same name.
  if (nameText(bytes) !== text) throw invalid(text, 'it is not the text of any file name')
  return bytes
}

/** The parts of a project path. Empty for the root itself. */
export function splitPath(path: string): string[] {
  if (path === '') return []
  const parts = path.split('/')
  for (const part of parts) {
    if (part === '' || part === '.' || part === '..')
      throw invalid(path, 'it has an empty part, `.` or `..`')
    if (part.includes('\0')) throw invalid(path, 'it has a NUL byte')
  }
  return parts
}

/** The parent directory ('' is the root) and the last part. */
export function splitLast(path: string): { parent: string; name: string } {
  const slash = path.lastIndexOf('/')
  return { parent: slash < 0 ? '' : path.slice(0, slash), name: path.slice(slash + 1) }
}

// Characters that macOS ignores when it compares names. With them, and with NTFS suffixes, `.git`
// has other spellings.
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu

/**
 * Whether some file system treats this name as `.git`. Retake never writes to the user's
 * repository.
 */
export function spellsGit(name: string): boolean {
  const plain = name
    .replaceAll(IGNORED, '')
    .toLowerCase()
    .replace(/:.*$/u, '')
    .replace(/[. ]+$/u, '')
  return plain === '.git' || plain === 'git~1'
}

/** The start of every name that Retake gives to a file in a project. */
export const OWN = '.retake-'

/**
 * The names of an operation's own files next to a target: the staged new file, the old file moved
 * aside, the new file moved aside during a rollback, and a test of hard links.
 */
export interface OwnNames {
  readonly stage: string
  readonly aside: string
  readonly back: string
  readonly probe: string
}

/** The name of a directory while its spelling changes. */
export function ownDirectoryName(tag: string, index: number): string {
  return `${OWN}${tag}-${index}-directory`
}

export function ownNames(tag: string, index: number): OwnNames {
  const stage = `${OWN}${tag}-${index}`
  return { stage, aside: `${stage}-old`, back: `${stage}-back`, probe: `${stage}-probe` }
}

/** Whether the name is an operation's own file. Snapshots must not mistake it for the user's. */
export function isOwnName(name: string): boolean {
  return name.startsWith(OWN)
}

function invalid(path: string, why: string): Failure {
  return new Failure('path-invalid', `${JSON.stringify(path)} is not a path in a project: ${why}.`)
}
