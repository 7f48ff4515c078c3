import { blobId, readSmallFile, statPath } from '#disk'
import {
  filesStateOf,
  type Cell,
  type Recorded,
  type RecordedEdit,
  type TurnReport,
  type TurnState,
} from '#timeline'

/** Bytes. Larger files are not read only to show a list. */
const MAX_BYTES = 8 * 1024 * 1024

/** Identifies the content of a path before a turn's first edit of it and after its last. */
export interface Before {
  readonly path: string
  readonly before: Mark
  readonly after: Mark
}

interface Mark {
  readonly kind: Recorded['kind']
  readonly id: string | null
}

export function beforesOf(edits: readonly RecordedEdit[]): Before[] {
  return [...Map.groupBy(edits, ({ path }) => path)].map(([path, own]) => ({
    path,
    before: markOf(own[0]!.before),
    after: markOf(own.at(-1)!.after),
  }))
}

function markOf(recorded: Recorded): Mark {
  return { kind: recorded.kind, id: idOf(recorded) }
}

function idOf(recorded: Recorded): string | null {
  if (recorded.kind === 'bytes') return blobId(Buffer.from(recorded.bytes))
  return recorded.kind === 'text' ? idOfText(recorded.text) : null
}

/**
 * Whether a turn's changes are in the files. Recorded cells decide. Without cells, an active turn
 * is in. Any other turn may have been taken out by the agent itself, so its files decide (sem.C5):
 * equal to before the turn means out, equal to after it means in. A file that equals neither is
 * ignored; if no file is out, the turn is in.
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
  const places = new Set(befores.map(whereIs))
  if (!places.has('out')) return 'in'
  return places.has('in') ? 'partly' : 'out'
}

function whereIs({ path, before, after }: Before): 'in' | 'out' | 'unclear' {
  // A missing file holds nothing of the turn, unless the turn deleted it.
  if (statPath(path) === null) return after.kind === 'absent' ? 'in' : 'out'
  const bytes = readSmallFile(path, MAX_BYTES)
  if (bytes === null) return 'unclear'
  if (stands(bytes, before)) return 'out'
  return stands(bytes, after) ? 'in' : 'unclear'
}

function stands(bytes: Buffer, { kind, id }: Mark): boolean {
  if (kind === 'bytes') return blobId(bytes) === id
  return kind === 'text' && idOfText(bytes.toString('utf8').replaceAll('\r\n', '\n')) === id
}

function idOfText(text: string): string {
  return blobId(Buffer.from(text))
}
