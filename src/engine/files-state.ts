import { readSmallFile } from '#disk'
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

/**
 * Whether a turn's effect is in the files. What is recorded counts. Of a turn that nobody moved,
 * an active one is in; another may have been taken out by the agent itself, which the files tell
 * (sem.C5): as before the turn means out, anything else means in.
 */
export function filesStateOfTurn(
  cells: readonly Cell[] | undefined,
  state: TurnState,
  edits: readonly RecordedEdit[],
): TurnReport['filesState'] {
  if (cells !== undefined && cells.length > 0) {
    const known = filesStateOf(cells)
    return known === 'none' ? 'in' : known
  }
  if (state === 'active' || edits.length === 0) return state === 'active' ? 'in' : 'out'
  const outs = [...Map.groupBy(edits, ({ path }) => path)].map(([path, list]) =>
    stands(path, list[0]!.before),
  )
  if (outs.every(Boolean)) return 'out'
  return outs.some(Boolean) ? 'partly' : 'in'
}

function stands(path: string, recorded: Recorded): boolean {
  const bytes = readSmallFile(path, LARGEST)
  if (recorded.kind === 'absent') return bytes === null
  if (bytes === null || recorded.kind === 'unknown') return false
  if (recorded.kind === 'bytes') return bytes.equals(recorded.bytes)
  return bytes.toString('utf8').replaceAll('\r\n', '\n') === recorded.text
}
