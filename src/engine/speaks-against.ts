import { lstatPath } from '#disk'
import type { Sighting } from '#store'
import { TICK, type Author, type RanStep } from './authors.ts'

/** Writes of one command that follow each other so soon make a burst. */
const BURST = 250
const SMALLEST_BURST = 3
/** A save so far from all other writes of the command is not part of its work. */
const APART = 1000

/**
 * What speaks against a change being the command's that ran then (sem.A2): an editor has the file
 * open, or the command wrote a burst of files in other directories and this one alone, at another
 * moment, without naming it.
 */
export function speakingAgainst(
  steps: readonly RanStep[],
  sightings: readonly Sighting[],
  isInEditor: (sighting: Sighting) => boolean,
): (author: Author, sighting: Sighting) => Author {
  const writes = sightings.flatMap(({ path, changedAt, after, directory }) =>
    changedAt === null || after.kind === 'absent' || directory !== undefined
      ? []
      : [{ at: changedAt, in: parentOf(path) }],
  )
  return (author, sighting) => {
    if (author.kind !== 'turn' || !author.evidence.startsWith('shell ')) return author
    const why = isInEditor(sighting)
      ? 'an editor has it open, and it changed while a command ran'
      : isLone(steps, writes, sighting)
        ? 'it changed while a command ran, apart from the command’s other writes'
        : null
    return why === null ? author : { ...author, kind: 'unsure', evidence: why }
  }
}

function isLone(
  steps: readonly RanStep[],
  writes: readonly { readonly at: number; readonly in: string }[],
  { path, changedAt, before, after }: Sighting,
): boolean {
  // A command makes files as it likes; a person mostly saves what was there.
  if (changedAt === null || before.kind !== 'file' || after.kind !== 'file') return false
  const step = steps.findLast(
    ({ began, ended }) => began - TICK <= changedAt && changedAt <= ended + TICK,
  )
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (step?.command === undefined || step.command.includes(name)) return false
  const others = writes
    .filter(({ at }) => at !== changedAt && at >= step.began - TICK && at <= step.ended + TICK)
    .sort((a, b) => a.at - b.at)
  if (others.some(({ at }) => Math.abs(at - changedAt) < APART)) return false
  const elsewhere = others.filter((write) => write.in !== parentOf(path))
  return elsewhere.some(
    ({ at }, i) => at - (elsewhere[i - SMALLEST_BURST + 1]?.at ?? Number.NEGATIVE_INFINITY) < BURST,
  )
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Whether an editor had the file open when it changed, and still has. */
export function editorOn(root: string): (sighting: Sighting) => boolean {
  return ({ path, changedAt, after }) => {
    if (changedAt === null || after.kind !== 'file') return false
    const cut = path.lastIndexOf('/') + 1
    const [directory, name] = [`${root}/${path.slice(0, cut)}`, path.slice(cut)]
    return [
      `.${name}.swp`,
      `.${name}.swo`,
      `.#${name}`,
      `.${name}.kate-swp`,
      `.~lock.${name}#`,
    ].some((each) => {
      const stat = lstatPath(`${directory}${each}`)
      return stat !== null && Number(stat.birthtimeNs) / 1e6 < changedAt
    })
  }
}
