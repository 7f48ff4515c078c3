import { isUtf8 } from 'node:buffer'
import { Failure } from '#failure'

const ESCAPE = 0xdc00

/**
 * A name's bytes as text. A byte that is not UTF-8 becomes the lone surrogate U+DC80 to U+DCFF:
 * with U+FFFD instead, two different files would get one name and one would overwrite the other.
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

/** How long a UTF-8 sequence with this first byte is; 0 when none starts so. */
function sequenceLength(first: number): number {
  if (first < 0x80) return 1
  if (first >= 0xc2 && first < 0xe0) return 2
  if (first >= 0xe0 && first < 0xf0) return 3
  if (first >= 0xf0 && first < 0xf5) return 4
  return 0
}

/** The way back. Text that no name can have is refused: guessing would aim at another file. */
export function nameBytes(text: string): Buffer {
  if (text.isWellFormed()) return Buffer.from(text, 'utf8')
  const parts: Buffer[] = []
  for (const character of text) {
    const unit = character.charCodeAt(0)
    const escaped = character.length === 1 && unit >= ESCAPE + 0x80 && unit <= ESCAPE + 0xff
    parts.push(escaped ? Buffer.from([unit - ESCAPE]) : Buffer.from(character, 'utf8'))
  }
  const bytes = Buffer.concat(parts)
  // A lone surrogate elsewhere, or escapes that together spell a character, would be a second
  // text for one name.
  if (nameText(bytes) !== text) throw invalid(text, 'it is not the text of any file name')
  return bytes
}

/** The parts of a project path; none for the root itself. */
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

/** The directory a path lies in ('' is the root), and its last part. */
export function splitLast(path: string): { parent: string; name: string } {
  const slash = path.lastIndexOf('/')
  return { parent: slash < 0 ? '' : path.slice(0, slash), name: path.slice(slash + 1) }
}

// What macOS leaves out and NTFS adds when it compares names: the ways to reach `.git` by
// another spelling.
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu

/** Whether some file system takes this name for `.git`. The user's repository is never written. */
export function spellsGit(name: string): boolean {
  const plain = name
    .replaceAll(IGNORED, '')
    .toLowerCase()
    .replace(/:.*$/u, '')
    .replace(/[. ]+$/u, '')
  return plain === '.git' || plain === 'git~1'
}

const OWN = '.retake-'

/**
 * The names that an operation uses beside a target while it runs: the new file, the old one moved
 * aside, the new one moved aside again on the way back, and a trial of hard links.
 */
export interface OwnNames {
  readonly stage: string
  readonly aside: string
  readonly back: string
  readonly probe: string
}

export function ownNames(tag: string, index: number): OwnNames {
  const stage = `${OWN}${tag}-${index}`
  return { stage, aside: `${stage}-old`, back: `${stage}-back`, probe: `${stage}-probe` }
}

/** Whether a name is one of an operation's own: no snapshot may take it for the user's file. */
export function isOwnName(name: string): boolean {
  return name.startsWith(OWN)
}

function invalid(path: string, why: string): Failure {
  return new Failure('path-invalid', `${JSON.stringify(path)} is not a path in a project: ${why}.`)
}
