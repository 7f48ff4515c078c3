import { readFileSync } from 'node:fs'

/** One line of a toy session: its start, a turn, or a move of the head. */
export type ToyLine =
  | { readonly kind: 'start'; readonly project: string; readonly at: string }
  | {
      readonly kind: 'turn'
      readonly id: string
      readonly parent: string | null
      readonly at: string
      readonly prompt: string
      readonly edits: readonly ToyEdit[]
      readonly answer: string
    }
  | { readonly kind: 'head'; readonly turn: string | null }
  | { readonly kind: 'title'; readonly title: string }

export interface ToyEdit {
  readonly path: string
  /** Null: no file. */
  readonly before: string | null
  readonly after: string | null
}

export interface ToyText {
  readonly lines: readonly { readonly line: ToyLine; readonly place: number }[]
  readonly damage: readonly { readonly offset: number; readonly length: number }[]
}

/** Skips lines that are not JSON and reports them as damage. */
export function readToy(path: string): ToyText {
  const bytes = readFileSync(path)
  const lines: { line: ToyLine; place: number }[] = []
  const damage: { offset: number; length: number }[] = []
  for (let from = 0; from < bytes.length;) {
    const newline = bytes.indexOf(10, from)
    const end = newline < 0 ? bytes.length : newline
    try {
      const line = JSON.parse(bytes.toString('utf8', from, end)) as ToyLine
      if (!['start', 'turn', 'head', 'title'].includes(line.kind)) throw new Error('no line')
      lines.push({ line, place: from })
    } catch {
      if (end > from) damage.push({ offset: from, length: end - from })
    }
    from = end + 1
  }
  return { lines, damage }
}

export const toyLine = (line: ToyLine): string => `${JSON.stringify(line)}\n`
