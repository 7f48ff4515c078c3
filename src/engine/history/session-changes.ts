import { createHash } from 'node:crypto'
import {
  findParts,
  makePlan,
  numberOf,
  pathsOf,
  sameValue,
  type Cell,
  type ChangedFile,
  type Contents,
  type FilePlan,
  type PlanRequest,
  type SessionChangesReport,
} from '#timeline'
import { diffFile, projectContents, type Reveal } from '../project/index.ts'
import { openForReading } from './files-in-time.ts'
import { leftInDoubt, leftNotCovered, readWorld } from '../plan/index.ts'
import type { Machine } from '../ground/index.ts'
import { readLedger, type ReadSession } from '../session/index.ts'

/**
 * Diffs of what the turns up to the head did to files and that is still in them, without changes by
 * others. Each leads from the file without these turns to the present one. Writes nothing.
 */
export function readSessionChanges(
  machine: Machine,
  session: ReadSession,
  how: Reveal,
): SessionChangesReport {
  using project = openForReading(machine, session)
  const contents = projectContents(project.store)
  const ledger = readLedger(project, session, { verb: 'revert-files' })
  const paths = new Set(ledger.cells.flatMap(pathsOf))
  const request: PlanRequest = { verb: 'revert-files', paths }
  const world = readWorld(machine, project, ledger, { request, options: {}, contents })
  const outcome = makePlan(world, request)
  const files = outcome.kind === 'plan' ? outcome.files : []
  const notCovered = outcome.kind === 'nothing-to-do' ? [] : outcome.notCovered
  return {
    session: session.report.id,
    files: files
      .filter(({ verb }) => verb !== 'skip')
      .map((file) => describe(contents, session, file, { cells: ledger.cells, how })),
    left: [
      ...leftInDoubt(project, outcome.kind === 'refused' ? [] : outcome.unsure),
      ...leftNotCovered(project, notCovered),
    ],
  }
}

function describe(
  contents: Contents,
  { tree }: ReadSession,
  file: FilePlan,
  { cells, how }: { cells: readonly Cell[]; how: Reveal },
): ChangedFile {
  const { path, verb, why, sides, pre: now } = file
  // A conflict that only needs consent has a planned content.
  const isConflict = verb === 'conflict' && why !== 'needs-consent'
  const without = isConflict ? (sides?.theirs ?? now) : file.post
  const { diff, hidden = false } = diffFile(contents, { path, before: without, after: now }, how)
  const own = cells.filter((cell) => cell.in && pathsOf(cell).includes(path))
  const turns = [...new Set(own.map(({ turn }) => turn))].filter((id) => tree.turns.has(id))
  const oldest = own.toSorted((a, b) => a.seq - b.seq)[0]?.eff[0]?.before
  return {
    path,
    key: createHash('sha1')
      .update(JSON.stringify([path, without, now]))
      .digest('hex'),
    conflict: isConflict,
    hasOthersEdits: !isConflict && oldest !== undefined && !sameValue(oldest, without),
    turns: turns.map((id) => ({ id, number: numberOf(tree, id) })),
    hidden,
    diff,
    parts: isConflict || diff.kind !== 'text' ? [] : findParts(contents, without, now),
  }
}
