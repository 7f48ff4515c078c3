import { lstatPath } from '#disk'
import type { Sighting } from '#store'
import type { TurnId } from '#timeline'
import type { BackgroundJob } from './background-jobs.ts'
import { names, TICK, type Author, type RanStep, type Witnesses } from './authors.ts'

/** Writes of one command within this time form a burst. */
const BURST = 250
const SMALLEST_BURST = 3
/** A save this far from all other writes of the command is not part of its work. */
const APART = 1000

/** Evidence suffix: the command names the file, and an editor saved the file while it ran. */
const SAVED_TOO = ', an editor saved it too'

/** Whether a command's change includes what the user saved while the command ran. */
export function isSavedToo({ evidence }: { readonly evidence: string }): boolean {
  return evidence.includes(SAVED_TOO)
}

/** Evidence suffix: a command of an earlier turn may have run on in the background. */
const WITH_JOB = ', a background command may have run too'

/** Whether a command's change may be that of an earlier turn's background command. */
export function isWithJob({ evidence }: { readonly evidence: string }): boolean {
  return evidence.includes(WITH_JOB)
}

export interface EditorSigns {
  /** An editor has the file open. */
  readonly isInEditor: (sighting: Sighting) => boolean
  /** An editor's temporary file appeared and vanished next to the file. */
  readonly isEditorSave: (sighting: Sighting) => boolean
  /** A session of another project worked there at that time. */
  readonly isElsewhere: (sighting: Sighting) => boolean
}

/**
 * Makes a command's change unsure if there is evidence against it (sem.A2): it is an editor's own
 * file, an editor has the file open or saved it, another project's session worked there, or the
 * command wrote a burst of files in other directories and this one alone at another time. A command
 * that names the file may have run the editor itself. A change that only an earlier turn's
 * background command names is more likely that command's.
 */
export function doubtAuthors(
  { steps, jobs = [] }: Witnesses,
  sightings: readonly Sighting[],
  { isInEditor, isEditorSave, isElsewhere }: EditorSigns,
): (author: Author, sighting: Sighting) => Author {
  const writes = sightings.flatMap(({ path, changedAt, after, directory }) =>
    changedAt === null || after.kind === 'absent' || directory !== undefined
      ? []
      : [{ at: changedAt, in: parentOf(path) }],
  )
  return (author, sighting) => {
    if (author.kind !== 'turn') return author
    const why = isOfEditor(sighting)
      ? 'an editor’s own file, which changed while a command ran'
      : isInEditor(sighting)
        ? 'an editor has it open, and it changed while a command ran'
        : isEditorSave(sighting) && !isNamed(steps, sighting)
          ? 'an editor saved it while a command ran'
          : isLone(steps, writes, sighting)
            ? 'it changed while a command ran, apart from the command’s other writes'
            : isElsewhere(sighting)
              ? 'a session of another project worked there at that time'
              : null
    if (why !== null) return { ...author, kind: 'unsure', evidence: why }
    const beside = jobsBeside(author, sighting)
    const owner = beside.findLast((job) => mentions(job, sighting.path))
    const isOwn = isNamed(steps, sighting)
    if (owner !== undefined && !isOwn)
      return {
        kind: 'unsure',
        id: owner.turn,
        evidence: 'an earlier command that names it may have run on in the background',
        sharedWith: [author.id as TurnId],
      }
    const mayBeJobs = owner !== undefined || (beside.length > 0 && !isOwn)
    const suffixes = [isEditorSave(sighting) ? SAVED_TOO : '', mayBeJobs ? WITH_JOB : '']
    return { ...author, evidence: `${author.evidence}${suffixes.join('')}` }
  }

  /** Background commands of other turns that may have run when a command of this turn did. */
  function jobsBeside({ id }: Author, { changedAt, at }: Sighting): readonly BackgroundJob[] {
    const then = changedAt ?? at
    if (stepAt(steps, then)?.turn !== id) return []
    return jobs.filter(({ turn, began, ended }) => turn !== id && began <= then && then <= ended + TICK) // prettier-ignore
  }
}

/** Whether the file's name is a word of the command. A part of a word says too little. */
function mentions({ command }: BackgroundJob, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return command.split(/[^\p{L}\p{N}_.-]+/u).includes(name) || (/[^\p{L}\p{N}_.-]/u.test(name) && command.includes(name)) // prettier-ignore
}

function isLone(
  steps: readonly RanStep[],
  writes: readonly { readonly at: number; readonly in: string }[],
  sighting: Sighting,
): boolean {
  const { path, changedAt, before, after } = sighting
  // Only for existing files: commands create files at any time, people mostly save existing ones.
  if (changedAt === null || before.kind !== 'file' || after.kind !== 'file') return false
  const step = stepAt(steps, changedAt)
  if (step?.command === undefined || isNamed(steps, sighting)) return false
  const others = writes
    .filter(({ at }) => at !== changedAt && at >= step.began - TICK && at <= step.ended + TICK)
    .sort((a, b) => a.at - b.at)
  if (others.some(({ at }) => Math.abs(at - changedAt) < APART)) return false
  const elsewhere = others.filter((write) => write.in !== parentOf(path))
  return elsewhere.some(
    ({ at }, i) => at - (elsewhere[i - SMALLEST_BURST + 1]?.at ?? Number.NEGATIVE_INFINITY) < BURST,
  )
}

function stepAt(steps: readonly RanStep[], at: number): RanStep | undefined {
  return steps.findLast(({ began, ended }) => began - TICK <= at && at <= ended + TICK)
}

/** Whether the command that ran then names the file. */
function isNamed(steps: readonly RanStep[], { path, changedAt }: Sighting): boolean {
  const step = changedAt === null ? undefined : stepAt(steps, changedAt)
  return step !== undefined && names(step, path)
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** Swap and lock files, which exist as long as an editor has a file open. */
const OF_EDITORS = /^(?:\.(?:.+\.)?sw[a-p]|\.#.+|\..+\.kate-swp|\.~lock\..+#)$/u

/** Undo must not delete the swap file of a running editor. */
function isOfEditor({ path }: Sighting): boolean {
  return OF_EDITORS.test(path.slice(path.lastIndexOf('/') + 1))
}

/**
 * Whether an editor's lock file shows that it opened the file before the change and still has it.
 */
export function editorOn(root: string): (sighting: Sighting) => boolean {
  return ({ path, changedAt, after }) => {
    if (changedAt === null || after.kind !== 'file') return false
    const cut = path.lastIndexOf('/') + 1
    const inside = path.startsWith('/') ? '' : `${root}/`
    const [directory, name] = [`${inside}${path.slice(0, cut)}`, path.slice(cut)]
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
