import { createHash } from 'node:crypto'
import {
  type Disk,
  errnoOf,
  listDirectory,
  makePrivateDirectory,
  nameBytes,
  removeIfExists,
} from '#disk'
import type { Machine } from '../ground/index.ts'

/** Identifies one event of the agent. */
export interface EventIdentity {
  readonly event: string
  readonly session: string
  /** The agent's id of the prompt; null in old versions. */
  readonly promptId: string | null
  readonly prompt: string
  /** When this process started, in milliseconds since 1970. */
  readonly startedAt: number
}

const DIRECTORY = 'claims'
const KEPT_MS = 60 * 60 * 1000

/**
 * A claim for the first process that handles this event, null for all others. An agent runs the
 * hook once per installation (user settings, project settings, plugin): without a claim, one `undo`
 * would undo a turn for each of them. Dispose of the claim after answering.
 */
export function claimEvent(
  machine: Machine,
  { startedAt, ...identity }: EventIdentity,
): Disposable | null {
  const directory = makePrivateDirectory(machine.disk, machine.places.state, [DIRECTORY])
  removeOld(machine.disk, directory, machine.now().getTime() - KEPT_MS)
  const name = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 32)
  const path = `${directory}/${name}`
  if (identity.promptId !== null)
    return create(machine.disk, path) ? { [Symbol.dispose]: () => undefined } : null
  // Without an id, a repeated prompt has the same name. The agent waits for all hooks of a prompt,
  // so a process that started after the answer belongs to the next prompt.
  const claimed = create(machine.disk, path) || takeOver(machine.disk, `${path}.done`, startedAt)
  return claimed ? { [Symbol.dispose]: () => void create(machine.disk, `${path}.done`) } : null
}

export function dropClaims(disk: Disk, state: string): void {
  removeOld(disk, `${state}/${DIRECTORY}`, Infinity)
}

function create(disk: Disk, path: string): boolean {
  try {
    disk.close(disk.create(nameBytes(path), 0o600))
    return true
  } catch (error) {
    if (errnoOf(error) === 'EEXIST') return false
    throw error
  }
}

/** Only one of several processes can rename the mark. */
function takeOver(disk: Disk, done: string, startedAt: number): boolean {
  const answered = modified(disk, nameBytes(done))
  if (answered === null || answered > startedAt) return false
  const aside = nameBytes(`${done}.${process.pid}`)
  try {
    disk.rename(nameBytes(done), aside)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw error
  }
  removeIfExists(disk, aside)
  return true
}

function removeOld(disk: Disk, directory: string, before: number): void {
  for (const { name } of listDirectory(directory)) {
    const path = nameBytes(`${directory}/${name}`)
    const at = modified(disk, path)
    if (at !== null && at < before) removeIfExists(disk, path)
  }
}

function modified(disk: Disk, path: Buffer): number | null {
  const stat = disk.stat(path)
  return stat === null ? null : Number(stat.modified / 1_000_000n)
}
