/**
 * Puts the scenes of a run in memory. Retake syncs its writes, and on a disk the suite spent a
 * quarter of its time waiting for that. `npm run test:faults` tests power cuts on real file
 * systems.
 */
import { accessSync, constants, readFileSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

const MEMORY = '/dev/shm'
/** For directories beside a project: Retake treats those below /dev as the system's. */
export const ON_DISK = '/tmp'
/** Containers often have 64 MB here; the scenes of a run need up to 300 MB at once. */
const MIN_FREE_BYTES = 1024 ** 3

export function setup(): void {
  // A developer who sets TMPDIR wants the scenes there.
  process.env['TMPDIR'] ??= inMemory()
}

/**
 * The memory file system if scenes fit and programs can run there; else the temporary directory.
 */
export function inMemory(): string {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= MIN_FREE_BYTES && mayExecute() ? MEMORY : tmpdir()
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
