import { readRanges } from '#disk'
import { field, string } from '../rows/index.ts'
import type { Row } from '../rows/index.ts'
import type { ImageType, PromptImage } from '../../open-session.ts'

/** Parsing a larger row would take several times as much memory. */
const MAX_ROW_BYTES = 64 * 1024 * 1024
const TYPES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** The images of a prompt as they were sent; only types that can be sent again. */
export function readImages(path: string, prompt: Row | undefined): PromptImage[] {
  const content = field(field(parseRow(path, prompt), 'message'), 'content')
  return Array.isArray(content) ? content.flatMap(imageIn) : []
}

/** The model of the last answer; null if there is none. */
export function readModel(path: string, rows: readonly Row[]): string | null {
  const answer = rows.findLast(({ type }) => type === 'assistant')
  const model = string(field(field(parseRow(path, answer), 'message'), 'model'))
  // If the model did not answer, the agent's own text names a placeholder model.
  return model?.startsWith('<') === true ? null : model
}

function imageIn(block: unknown): PromptImage[] {
  const source = field(block, 'source')
  const type = string(field(source, 'media_type'))
  const data = string(field(source, 'data'))
  if (field(block, 'type') !== 'image' || type === null || data === null) return []
  return TYPES.has(type) ? [{ type: type as ImageType, data }] : []
}

function parseRow(path: string, row: Row | undefined): unknown {
  if (row === undefined || row.length > MAX_ROW_BYTES) return null
  using file = readRanges(path)
  try {
    return JSON.parse(file.read(row.place, row.length).toString('utf8'))
  } catch {
    return null
  }
}
