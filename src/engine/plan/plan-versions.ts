import {
  alignThree,
  markValue,
  splitLines,
  type Choice,
  type ConflictSides,
  type Contents,
  type FilePlan,
  type Value,
  type ValueDiff,
  type VersionReport,
  type VersionsReport,
} from '#timeline'
import { bytesOf, diffOf, isHidden, stateOf, type Project, type Reveal } from '../project/index.ts'
import { MARK_LABELS } from '../ground/index.ts'
import { planContents, planFileAt } from './plan-file-at.ts'
import type { PlannedOperation } from './planned.ts'

/**
 * The versions of a planned file: what both sides started from, the present one and the wanted one.
 * For each choice, also what would be written, by the functions that would write it.
 */
export function readPlanVersions(
  project: Project,
  planned: PlannedOperation,
  place: number,
  { places, ...how }: Reveal & { readonly places?: readonly Choice[] | null },
): VersionsReport {
  const file = planFileAt(planned, place)
  const contents = planContents(project, planned)
  const sides = sidesOf(file)
  const hidden = isHidden(file.path, how)
  const blocks = hidden ? null : blocksOf(contents, sides)
  const describe = (value: Value): VersionReport =>
    describeVersion(contents, value, { hidden, alone: blocks === null })
  const versionOf = (value: Value): { after: VersionReport; diff: ValueDiff } => ({
    after: describe(value),
    diff: hidden ? { kind: 'not-text' } : diffOf(contents, sides.ours, value),
  })
  const { base, ours, theirs } = sides
  const chosen =
    base === null || places == null || !file.choices.includes('mark')
      ? null
      : markValue(contents, { base, ours, theirs }, MARK_LABELS, places)
  return {
    session: planned.session.report.id,
    plan: planned.report.id,
    path: file.path,
    way: sides.way,
    hidden,
    base: sides.base === null ? null : describe(sides.base),
    yours: describe(sides.ours),
    theirs: describe(sides.theirs),
    blocks,
    outcomes: file.choices.flatMap((choice) => {
      const value = outcomeOf(contents, sides, choice)
      return value === null ? [] : [{ choice, ...versionOf(value) }]
    }),
    ...(chosen === null ? {} : { chosen: versionOf(chosen) }),
  }
}

/** Without a conflict there are only the present and the planned version. */
function sidesOf({ sides, pre, post }: FilePlan): ConflictSides {
  return sides ?? { base: null, ours: pre, theirs: post, way: 'back' }
}

function outcomeOf(
  contents: Contents,
  { base, ours, theirs }: ConflictSides,
  choice: Choice,
): Value | null {
  if (choice === 'keep-mine') return ours
  if (choice === 'put-back') return theirs
  return base === null ? null : markValue(contents, { base, ours, theirs }, MARK_LABELS)
}

function describeVersion(
  contents: Contents,
  value: Value,
  { hidden, alone }: { hidden: boolean; alone: boolean },
): VersionReport {
  const nothing = { size: null, mode: null, lineEnds: null, finalNewline: null, says: null }
  if (value.kind === 'absent') return { ...nothing, state: 'absent', text: null }
  if (value.kind === 'unknown') return { ...nothing, state: 'unknown', says: value.why, text: null }
  if (value.kind === 'symlink')
    return { ...nothing, state: 'symlink', says: hidden ? null : value.target, text: null }
  const bytes = bytesOf(contents, value)
  const state = stateOf(bytes)
  const known = { ...nothing, state, mode: value.mode, size: bytes?.length ?? null, text: null }
  if (bytes === null || state !== 'file') return known
  const { lineEnds = null, finalNewline = null } = splitLines(bytes)
  const text = alone && !hidden ? new TextDecoder().decode(bytes) : null
  return { ...known, lineEnds, finalNewline, text }
}

function blocksOf(
  contents: Contents,
  { base, ours, theirs }: ConflictSides,
): VersionsReport['blocks'] {
  const [first, yours, wanted] = [base ?? ours, ours, theirs].map((value) => {
    if (value.kind === 'absent') return new Uint8Array()
    const bytes = value.kind === 'file' ? bytesOf(contents, value) : null
    return stateOf(bytes) === 'file' ? bytes : null
  })
  if (!first || !yours || !wanted) return null
  return alignThree({ base: base === null ? null : first, ours: yours, theirs: wanted })
}
