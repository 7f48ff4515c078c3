import { blobId, readSmallFile } from '#disk'
import {
  filesStateOf,
  type Cell,
  type Recorded,
  type RecordedEdit,
  type TurnReport,
  type TurnState,
} from '#timeline'

/** A file that is compared with a recorded text; what is larger is not read for a list. */
const LARGEST = 8 * 1024 * 1024

/** What stood at a path before the turn's first edit of it: which content, not the content. */
export interface Before {
  readonly path: string
  readonly kind: Recorded['kind']
  readonly id: string | null
}

export function beforesOf(edits: readonly RecordedEdit[]): Before[] {
  return [...Map.groupBy(edits, ({ path }) => path)].map(([path, [first]]) => {
    const { before } = first!
    return { path, kind: before.kind, id: idOf(before) }
  })
}

function idOf(recorded: Recorded): string | null {
  if (recorded.kind === 'bytes') return blobId(Buffer.from(recorded.bytes))
  return recorded.kind === 'text' ? idOfText(recorded.text) : null
}

/**
 * Whether a turn's effect is in the files. What is recorded counts. Of a turn that nobody moved,
 * an active one is in; another may have been taken out by the agent itself, which the files tell
 * (sem.C5): as before the turn means out, anything else means in.
 */
export function filesStateOfTurn(
  cells: readonly Cell[] | undefined,
  state: TurnState,
  befores: readonly Before[],
): TurnReport['filesState'] {
  if (cells !== undefined && cells.length > 0) {
    const known = filesStateOf(cells)
    return known === 'none' ? 'in' : known
  }
  if (state === 'active' || befores.length === 0) return state === 'active' ? 'in' : 'out'
  const outs = befores.map(stands)
  if (outs.every(Boolean)) return 'out'
  return outs.some(Boolean) ? 'partly' : 'in'
}

function stands({ path, kind, id }: Before): boolean {
  const bytes = readSmallFile(path, LARGEST)
  if (kind === 'absent') return bytes === null
  if (bytes === null || kind === 'unknown') return false
  if (kind === 'bytes') return blobId(bytes) === id
  return idOfText(bytes.toString('utf8').replaceAll('\r\n', '\n')) === id
}

function idOfText(text: string): string {
  return blobId(Buffer.from(text))
}
