/**
 * The code blocks of a document. The word after the fence says what a block is:
 *
 * - `console`: commands after `$ `, each followed by its output; run and compared;
 * - `sh`: commands that are run and must succeed; their output is not shown;
 * - `js` and `ts`: a program, saved under the name in its first line for the next commands;
 * - `json`: must be JSON;
 * - `text`: a drawing that some test must produce (see docs.test.ts).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface Block {
  readonly file: string
  /** The number of the first line inside the fence, from 1. */
  readonly line: number
  readonly kind: string
  readonly text: string
}

export interface Command {
  readonly file: string
  readonly line: number
  readonly text: string
  /** The output that the document shows; null if it shows none. */
  readonly says: string | null
}

/** README and the pages in docs/, relative to the root. */
export function documents(): string[] {
  const found = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  const written = found.filter((name) => name.endsWith('.md') && !name.startsWith('reports/'))
  return ['README.md', ...written.map((name) => `docs/${name}`).toSorted()]
}

export function readDocument(file: string): string {
  return readFileSync(join(root, file), 'utf8')
}

export function blocksOf(file: string): Block[] {
  const blocks: Block[] = []
  let open: { kind: string; line: number; text: string[] } | null = null
  for (const [index, line] of readDocument(file).split('\n').entries()) {
    const fence = /^\s*```(\S*)/.exec(line)
    if (fence === null) open?.text.push(line)
    else if (open === null) open = { kind: fence[1]!, line: index + 2, text: [] }
    else {
      const { kind, line: start, text } = open
      blocks.push({ file, line: start, kind, text: text.map((each) => `${each}\n`).join('') })
      open = null
    }
  }
  return blocks
}

/** A command may continue over lines that end with a backslash. */
export function commandsOf({ file, line: start, kind, text }: Block): Command[] {
  if (kind === 'sh') return [{ file, line: start, text, says: null }]
  if (kind === 'js' || kind === 'ts') {
    const name = /^\/\/ (\S+)\n/.exec(text)![1]
    return [
      { file, line: start, text: `cat > ${name} <<'END OF FILE'\n${text}END OF FILE`, says: null },
    ]
  }
  const commands: { file: string; line: number; text: string; says: string }[] = []
  let goesOn = false
  for (const [index, line] of text.split('\n').slice(0, -1).entries()) {
    const last = commands.at(-1)
    const begins: boolean = !goesOn && line.startsWith('$ ')
    if (goesOn) last!.text += `\n${line}`
    else if (begins) commands.push({ file, line: start + index, text: line.slice(2), says: '' })
    else if (last === undefined) throw new Error(`${file}:${start + index} is said by no command`)
    else last.says += `${line}\n`
    goesOn = (goesOn || begins) && line.endsWith('\\')
  }
  return commands
}
