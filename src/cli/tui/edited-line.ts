import { graphemesOf } from '../text/text-width.ts'
import type { Key } from './key.ts'

/** Text being edited, and the cursor's position in graphemes. */
export interface EditedLine {
  readonly text: string
  readonly cursor: number
}

export const emptyLine: EditedLine = { text: '', cursor: 0 }

export function lineWith(text: string): EditedLine {
  return { text, cursor: graphemesOf(text).length }
}

export function insert({ text, cursor }: EditedLine, more: string): EditedLine {
  const parts = graphemesOf(text)
  const before = parts.slice(0, cursor).join('') + more
  return { text: before + parts.slice(cursor).join(''), cursor: graphemesOf(before).length }
}

/** Null if the key does not edit. */
export function editLine(line: EditedLine, key: Key): EditedLine | null {
  const parts = graphemesOf(line.text)
  const { cursor } = line
  const without = (at: number): string => parts.toSpliced(at, 1).join('')
  switch (key.name) {
    case 'char':
      return insert(line, key.text)
    case 'backspace':
      return cursor === 0 ? line : { text: without(cursor - 1), cursor: cursor - 1 }
    case 'delete':
      return { text: without(cursor), cursor }
    case 'left':
      return { ...line, cursor: Math.max(0, cursor - 1) }
    case 'right':
      return { ...line, cursor: Math.min(parts.length, cursor + 1) }
    case 'home':
      return { ...line, cursor: 0 }
    case 'end':
      return { ...line, cursor: parts.length }
    case 'ctrl-u':
      return emptyLine
    case 'up':
    case 'down':
    case 'page-up':
    case 'page-down':
    case 'enter':
    case 'escape':
    case 'tab':
    case 'back-tab':
    case 'ctrl-c':
      return null
  }
}
