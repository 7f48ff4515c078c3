import { lstatPath } from '#disk'
import { LEFT_OUT_WORDS } from '#snapshots'
import { shellStepsSince, type ShellStep } from '#store'
import type { Cell, Contents, TurnId } from '#timeline'
import { TICK } from './authors.ts'
import { inspectPresent, type Project } from '../project/index.ts'
import { toolOf } from './reported-steps.ts'

/** A plan reads the file and an operation stores it. Larger files are listed and left alone. */
const MAX_BYTES = 500 * 1024 * 1024

/**
 * Fills in the present content of files that a turn grew past the size limit. Scans do not store
 * such content, but the content before it is stored. If the file has not changed since the turn's
 * command, undo can restore that; the operation then stores the large content for redo.
 */
export function withGrownFiles(
  project: Project,
  cells: readonly Cell[],
  contents: Contents,
): readonly Cell[] {
  let known: Map<TurnId | null, ShellStep[]> | null = null
  const stepsOf = (turn: TurnId): readonly ShellStep[] => {
    known ??= Map.groupBy(
      shellStepsSince(project.store, 0).filter(({ tool }) => toolOf(tool).part === 'whole'),
      (step) => step.turn,
    )
    return known.get(turn) ?? []
  }
  return cells.map((cell) => {
    if (!hasGrown(cell)) return cell
    const { path } = cell
    const stat = lstatPath(path.startsWith('/') ? path : `${project.path}/${path}`)
    const isReadable = stat?.isFile() === true && stat.size <= MAX_BYTES
    const changed = isReadable ? Number(stat.ctimeNs) / 1e6 : Number.NaN
    const isAsLeft = stepsOf(cell.turn).some(
      ({ began, ended }) => began - TICK <= changed && changed <= ended + TICK,
    )
    const after = isAsLeft ? inspectPresent(project, cell.path, contents) : null
    return after?.kind === 'file'
      ? { ...cell, eff: [{ before: cell.eff[0]!.before, after }] }
      : cell
  })
}

function hasGrown({ in: isIn, doubt, renamedFrom, eff }: Cell): boolean {
  const [change, ...more] = eff
  if (!isIn || doubt !== null || renamedFrom !== null || more.length > 0) return false
  const { before, after } = change!
  return (
    before.kind === 'file' && after.kind === 'unknown' && after.why === LEFT_OUT_WORDS['too-big']
  )
}
