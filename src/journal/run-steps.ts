import { setImmediate } from 'node:timers/promises'
import {
  errnoOf,
  exactRoot,
  inDirectory,
  nameBytes,
  splitLast,
  syncTogether,
  tryInDirectory,
  writeFailure,
} from '#disk'
import { Failure } from '#failure'
import type { Operation } from '#store'
import type { Journal, Running } from './journal.ts'
import { deletePath, replacePath, settled, type Moved, type PathResult } from './move-path.ts'
import type { Step } from './order.ts'
import { quarantinePath } from './quarantine.ts'
import { respellDirectory } from './respell-directory.ts'
import { atSite } from './site.ts'
import { takeTurns } from './take-turns.ts'

export function stepsOf(operation: Operation): readonly Step[] {
  return operation.steps as readonly Step[]
}

/** What became of each path of an operation. */
export interface Ran {
  readonly results: readonly PathResult[]
  /** The paths next to which one of the operation's own files may be. */
  readonly untidy: ReadonlySet<number>
}

/**
 * Runs all steps, then syncs and reads back every path. Throws if a step fails; the caller then
 * rolls back.
 */
export async function runSteps(
  journal: Journal,
  operation: Operation,
  { signal, progress }: Running = {},
): Promise<Ran> {
  const results = new Map<number, Moved>()
  const total = operation.paths.length
  const turns = takeTurns()
  for (const [at, step] of stepsOf(operation).entries()) {
    await turns.yieldIfDue()
    if (signal?.aborted === true) throw interrupted()
    progress?.({ phase: 'changing', done: results.size, total })
    try {
      if (step.do === 'respell-directory') respellDirectory(journal, operation, at, step)
      else runStep(journal, operation, step, results)
    } catch (error) {
      throw errnoOf(error) === undefined ? error : writeFailure(error, pathOf(operation, step))
    }
  }
  await syncTouched(journal, operation)
  const verified = await readBack(journal, operation)
  // Check once more: after the phase `finishing` is reported, the operation can no longer be
  // stopped.
  await setImmediate()
  if (signal?.aborted === true) throw interrupted()
  progress?.({ phase: 'finishing', done: total, total })
  const ends = operation.paths.map((_, n) => {
    const result = results.get(n)!
    return result.outcome === 'conflict' ? result : verified[n]!
  })
  const untidy = new Set([...results].filter(([, { isTidy }]) => !isTidy).map(([n]) => n))
  return { results: ends, untidy }
}

/** Reads every path again, so that the receipt reports only what is really there. */
export async function readBack(journal: Journal, operation: Operation): Promise<PathResult[]> {
  const results: PathResult[] = []
  for (const [n, { post }] of operation.paths.entries()) {
    if (n % BATCH_SIZE === BATCH_SIZE - 1) await setImmediate()
    results.push(
      atSite(journal, operation, n, 'accept', settled) ??
        // The whole directory is gone.
        (post.kind === 'absent'
          ? { outcome: 'applied' }
          : { outcome: 'conflict', found: { kind: 'absent' } }),
    )
  }
  return results
}

/** Yield to the event loop after reading back this many files. */
const BATCH_SIZE = 64

function runStep(
  journal: Journal,
  operation: Operation,
  step: Exclude<Step, { do: 'respell-directory' }>,
  results: Map<number, Moved>,
): void {
  switch (step.do) {
    case 'clear':
    case 'delete':
    case 'place': {
      const result = movePath(journal, operation, step)
      const isStrict = step.do === 'clear' || (step.do === 'place' && step.strict)
      if (isStrict && result.outcome === 'conflict') throw inTheWay(operation, step.n)
      results.set(step.n, result)
      break
    }
    case 'make-directory':
      makeDirectory(journal, step)
      break
    case 'remove-directory':
      if (!removeDirectory(journal, step.path) && step.must) throw notEmpty(step.path)
      break
  }
}

function pathOf({ paths }: Operation, step: Step): string {
  if ('n' in step) return paths[step.n]!.path
  return step.do === 'respell-directory' ? step.to : step.path
}

function movePath(
  journal: Journal,
  operation: Operation,
  step: Extract<Step, { n: number }>,
): Moved {
  const move = step.do === 'place' ? replacePath : deletePath
  return atSite(journal, operation, step.n, 'fail', (site) => move(journal.store, site))!
}

/** Accepts an existing directory, because an earlier run may have made it. */
export function makeDirectory(
  { root }: Journal,
  { path, mode }: { path: string; mode: number | null },
): void {
  const { parent, name } = splitLast(path)
  inDirectory(exactRoot(root), parent, (directory) => {
    const { disk } = directory
    try {
      disk.makeDirectory(directory.at(name), mode ?? 0o777)
    } catch (error) {
      if (errnoOf(error) !== 'EEXIST') throw error
    }
    const made = disk.openDirectory(directory.at(name))
    try {
      // Set the recorded mode explicitly, because the umask may have reduced it.
      if (mode !== null && disk.statOpen(made).mode !== mode) disk.changeMode(made, mode)
    } finally {
      disk.close(made)
    }
  })
}

/** Returns false if the directory holds entries that the operation does not know. */
export function removeDirectory({ root }: Journal, path: string): boolean {
  const { parent, name } = splitLast(path)
  const removed = tryInDirectory(exactRoot(root), parent, (directory) => {
    try {
      directory.disk.removeDirectory(directory.at(name))
      return true
    } catch (error) {
      const errno = errnoOf(error)
      if (errno === 'ENOENT' || errno === 'ENOTDIR') return true
      if (errno === 'ENOTEMPTY' || errno === 'EEXIST' || errno === 'EBUSY') return false
      throw error
    }
  })
  return removed ?? true
}

/** Syncs every directory in which an entry was added or removed. */
export async function syncTouched({ root, store }: Journal, operation: Operation): Promise<void> {
  const touched = new Set<string>()
  for (const { path, anchor } of operation.paths) {
    touched.add(splitLast(path).parent)
    touched.add(anchor)
  }
  for (const step of stepsOf(operation))
    if (step.do === 'respell-directory') touched.add(splitLast(step.to).parent)
    else if (step.do === 'make-directory' || step.do === 'remove-directory') {
      touched.add(splitLast(step.path).parent)
      touched.add(step.path)
    }
  const { disk } = store
  const quarantine = nameBytes(quarantinePath(store))
  const files = disk.stat(quarantine) === null ? [] : [disk.openDirectory(quarantine)]
  try {
    await syncTogether(exactRoot(root), { files, directories: touched })
  } finally {
    for (const file of files) disk.close(file)
  }
}

export function interrupted(): Failure {
  return new Failure('interrupted', 'Stopped. Everything is as it was.')
}

function inTheWay(operation: Operation, n: number): Failure {
  return new Failure(
    'changed-meanwhile',
    `${operation.paths[n]!.path} was changed by another program while it was being replaced.`,
    { hint: 'Nothing was changed. Look at it, then try again.' },
  )
}

function notEmpty(path: string): Failure {
  return new Failure('changed-meanwhile', `Another program wrote ${path} in the meantime.`, {
    hint: 'Nothing was changed. Look at it, then try again.',
  })
}
