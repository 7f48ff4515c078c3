import {
  canRelocate,
  dropRemoved,
  dropUnmade,
  errnoOf,
  inspectAppend,
  inspectRelocation,
  performAppend,
  performRelocation,
  prepareAppend,
  type Append,
  type AppendProgress,
  type Disk,
  type Relocation,
} from '#disk'
import type { PlannedStep, RecordedStep, StepProgress, StepRunner } from '#store'

/**
 * Steps for agents that keep a conversation in files: appending lines to a transcript, or renaming
 * a set of files together.
 */
export interface LinesToAppend {
  readonly path: string
  /** The file's identity when the step was planned. */
  readonly inode: bigint
  readonly size: number
  readonly bytes: Buffer
}

export function appendStep(agent: string, lines: LinesToAppend): PlannedStep {
  const { path, inode, size, bytes } = lines
  return {
    prepare: (disk) =>
      unlessMissing(() => {
        const append = prepareAppend(disk, path, { inode, size }, bytes)
        return append && recordAppend(agent, append)
      }),
  }
}

export function relocateStep(
  agent: string,
  relocation: Relocation,
  stage?: (disk: Disk) => void,
): PlannedStep {
  return {
    prepare: (disk) =>
      unlessMissing(() =>
        canRelocate(disk, relocation) ? recordRelocation(agent, relocation) : null,
      ),
    ...(stage === undefined ? {} : { stage }),
  }
}

export const fileSteps: StepRunner = {
  progress(disk, recorded) {
    const step = readStep(recorded)
    return PROGRESS[
      ('moves' in step ? inspectRelocation(disk, step) : inspectAppend(disk, step)).kind
    ]
  },
  perform(disk, recorded) {
    const step = readStep(recorded)
    if ('moves' in step) performRelocation(disk, step)
    else performAppend(disk, step)
  },
  abandon(disk, recorded) {
    const step = readStep(recorded)
    if ('moves' in step) dropUnmade(disk, step)
  },
  tidy(disk, recorded) {
    const step = readStep(recorded)
    if ('moves' in step) dropRemoved(disk, step)
  },
}

const PROGRESS: Record<AppendProgress['kind'], StepProgress> = {
  'not-yet': 'before',
  partly: 'partly',
  done: 'after',
  foreign: 'neither',
}

/** A missing transcript counts as changed. */
function unlessMissing<T>(prepare: () => T): T | null {
  try {
    return prepare()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  }
}

// Inodes as strings, because JSON numbers are not exact for 64 bits.
function recordAppend(agent: string, { path, device, inode, size, bytes }: Append): RecordedStep {
  const step = { path, device: String(device), inode: String(inode), size }
  return { agent, step, bytes, end: size + bytes.length }
}

function recordRelocation(agent: string, { kind, moves, expected }: Relocation): RecordedStep {
  const file = expected && { inode: String(expected.inode), size: expected.size }
  return { agent, step: { kind, moves, expected: file }, bytes: null, end: 0 }
}

type Written =
  | { path: string; device: string; inode: string; size: number }
  | (Omit<Relocation, 'expected'> & { expected: { inode: string; size: number } | null })

function readStep({ step, bytes }: RecordedStep): Append | Relocation {
  const written = step as Written
  if ('moves' in written) {
    const { expected } = written
    return { ...written, expected: expected && { ...expected, inode: BigInt(expected.inode) } }
  }
  const { device, inode } = written
  return { ...written, device: BigInt(device), inode: BigInt(inode), bytes: bytes! }
}
