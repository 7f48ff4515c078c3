import { nameBytes, nameText, readOwnFile, writeOnce, type Disk, type Stat } from '#disk'
import { findMovedKey, readMoves } from './moved-projects.ts'
import { shortDigest } from './short-digest.ts'

/** The root directory of a project, with its stat. */
export interface ProjectRoot {
  readonly path: string
  readonly stat: Stat
}

/** A project with a store, as recorded when the store was created. */
export interface KnownProject {
  readonly key: string
  readonly path: string
}

const RECORD = 'root.json'

/**
 * The name of the project's directory below `<data>/projects`, derived from device, inode and path:
 * a directory recreated at the same path is another project, and so is another disk mounted there.
 * Device numbers can change with a reboot. Then the store whose root has the same path, inode and
 * birth time is used, so that its history is not lost.
 */
export function findProjectKey(disk: Disk, data: string, root: ProjectRoot): string {
  const key = keyOf(root)
  if (disk.stat(nameBytes(`${data}/projects/${key}`)) !== null) return key
  const came = findMovedKey(disk, data, { path: root.path, inode: String(root.stat.inode) })
  if (came !== null && disk.stat(nameBytes(`${data}/projects/${came}`)) !== null) return came
  if (root.stat.born === 0n) return key
  const moved = records(disk, data).find(
    (record) =>
      record.path === root.path &&
      record.inode === String(root.stat.inode) &&
      record.born === String(root.stat.born),
  )
  return moved?.key ?? key
}

export function listProjects(disk: Disk, data: string): RecordedProject[] {
  const stores = readMoves(disk, data).flatMap((move) => move.stores)
  return records(disk, data).map(({ key, path, inode, born, device }) => ({
    key,
    path: stores.findLast((store) => store.key === key)?.path ?? path,
    inode: String(inode),
    born: String(born),
    device: String(device),
  }))
}

/** Records which project a store belongs to. */
export function recordRoot(disk: Disk, directory: string, { path, stat }: ProjectRoot): void {
  if (disk.stat(nameBytes(`${directory}/${RECORD}`)) !== null) return
  const record = {
    path,
    device: String(stat.device),
    inode: String(stat.inode),
    born: String(stat.born),
  }
  writeOnce(disk, directory, RECORD, Buffer.from(JSON.stringify(record)))
}

function keyOf({ path, stat }: ProjectRoot): string {
  const where = Buffer.from(`${stat.device}\0${stat.inode}\0`)
  return shortDigest(Buffer.concat([where, nameBytes(path)])).slice(0, 32)
}

/** The directory as it was when its store was created. */
export interface RecordedProject extends KnownProject {
  readonly inode: string
  readonly born: string
  readonly device: string
}

interface RootRecord extends KnownProject {
  readonly inode: unknown
  readonly born: unknown
  readonly device: unknown
}

function records(disk: Disk, data: string): RootRecord[] {
  const directory = `${data}/projects`
  if (disk.stat(nameBytes(directory)) === null) return []
  return disk.list(nameBytes(directory)).flatMap((entry) => {
    const key = nameText(entry)
    if (disk.stat(nameBytes(`${directory}/${key}/${RECORD}`))?.kind !== 'file') return []
    const record = parse(readOwnFile(disk, `${directory}/${key}/${RECORD}`))
    if (record === null || typeof record['path'] !== 'string') return []
    const { path, inode, born, device } = record
    return [{ key, path, inode, born, device }]
  })
}

/** An unreadable record matches no project; its store stays untouched. */
function parse(bytes: Buffer | null): Record<string, unknown> | null {
  if (bytes === null) return null
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' ? (value as Record<string, unknown> | null) : null
  } catch {
    return null
  }
}
