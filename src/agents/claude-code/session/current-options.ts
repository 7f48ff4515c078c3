import { readRanges } from '#disk'
import type { CurrentOptions } from '../../runner.ts'
import { field, string } from '../rows/index.ts'
import { findSessionFile } from './session-files.ts'

/** What is read of the end of a transcript. Choices before it count as unknown. */
const MAX_BYTES = 64 * 1024 * 1024
const CHUNK = 1024 * 1024
const MAX_ROW_BYTES = 4096

/**
 * The permission mode and the model that a session has now, if the user chose them `since` then.
 * Claude Code writes the mode when it changes and when it exits. Of the model it writes only the
 * `/model` command: the last answer may be of another model, for example in plan mode.
 */
export function currentOptions(config: string, session: string, since: number): CurrentOptions {
  const path = findSessionFile(config, session)?.path
  let permissionMode: string | null = null
  /** What `/model` answered; its row follows that of the command. */
  let answer: string | null = null
  for (const line of path === undefined ? [] : linesFromEnd(path)) {
    const row = parse(line)
    if (Date.parse(string(field(row, 'timestamp')) ?? '') < since) break
    if (field(row, 'type') === 'permission-mode')
      permissionMode ??= string(field(row, 'permissionMode'))
    const said = string(field(field(row, 'message'), 'content')) ?? ''
    if (said.startsWith('<local-command-stdout>Set model to ')) answer ??= said
    if (said.startsWith('<command-name>/model<') && answer !== null)
      return { permissionMode, model: typedModel(said) ?? modelNamed(answer) }
  }
  return { permissionMode, model: null }
}

/** `/model haiku` */
function typedModel(command: string): string | null {
  const args = /<command-args>\s*([\w.:/@[\]-]+)\s*<\/command-args>/.exec(command)
  return args?.[1] ?? null
}

/** If the user chose from a list, only the model's title is written: `Opus 5.5 (1M context)`. */
function modelNamed(answer: string): string | null {
  const [, family, rest = ''] = /^[^`]*`(Opus|Sonnet|Haiku|Fable)\b([^`]*)`/.exec(answer) ?? []
  if (family === undefined) return null
  if (rest.includes('(default)')) return 'default'
  return `${family.toLowerCase()}${rest.includes('1M') ? '[1m]' : ''}`
}

/** The short rows of a file, last one first. */
function* linesFromEnd(path: string): Generator<string> {
  using file = readRanges(path)
  let rest: Buffer = Buffer.alloc(0)
  for (let end = file.size; end > 0 && file.size - end < MAX_BYTES;) {
    const from = Math.max(0, end - CHUNK)
    const bytes = Buffer.concat([file.read(from, end - from), rest])
    const cut = from === 0 ? 0 : bytes.indexOf(0x0a) + 1
    const lines = bytes.subarray(cut).toString('utf8').split('\n')
    for (const line of lines.toReversed())
      if (line !== '' && line.length <= MAX_ROW_BYTES) yield line
    // A row longer than a chunk is none of those that are looked for.
    rest = cut === 0 ? Buffer.alloc(0) : bytes.subarray(0, cut)
    end = from
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
