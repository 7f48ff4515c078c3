/**
 * Makes the scenes of a run in memory. Retake syncs what it writes, and with scenes on a disk the
 * suite spent a quarter of its time waiting for it. What a power cut leaves on a real disk is tried
 * by `npm run test:faults`.
 */
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** Where Retake may be given directories beside a project: those below /dev belong to the system. */
export const ON_DISK = '/tmp'
/** Containers often have 64 MB here; the scenes of a run need up to 300 MB at once. */
const ENOUGH = 1024 ** 3

export function setup(): void {
  // A developer who sets TMPDIR wants the scenes there.
  process.env['TMPDIR'] ??= inMemory()
}

/** Memory, if scenes fit there and programs in it can be started; else the temporary directory. */
export function inMemory(): string {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= ENOUGH && mayExecute() ? MEMORY : tmpdir()
  } catch {
    return tmpdir()
  }
}

function mayExecute(): boolean {
  const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n')
  const [, , , options = 'noexec'] = mounts
    .findLast((line) => line.split(' ')[1] === MEMORY)!
    .split(' ')
  return !options.split(',').includes('noexec')
}
