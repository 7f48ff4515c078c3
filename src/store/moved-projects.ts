import { makePrivateDirectory, nameBytes, nameText, readOwnFile, writeOnce, type Disk } from '#disk'

/** The user said that a project lives elsewhere now. */
export interface MovedProject {
  readonly from: string
  readonly to: string
  /** In milliseconds since 1970. A session that began later at the old place belongs there. */
  readonly at: number
  /** The stores that moved with it: of the project itself, and of projects inside it. */
  readonly stores: readonly {
    readonly key: string
    readonly path: string
    readonly inode: string
  }[]
}

const DIRECTORY = 'moves'

/** Oldest first. */
export function readMoves(disk: Disk, data: string): MovedProject[] {
  const directory = `${data}/${DIRECTORY}`
  if (disk.stat(nameBytes(directory)) === null) return []
  const moves = disk.list(nameBytes(directory)).flatMap((entry) => {
    const name = nameText(entry)
    const bytes = name.endsWith('.json') ? readOwnFile(disk, `${directory}/${name}`) : null
    return parse(bytes) ?? []
  })
  return moves.sort((a, b) => a.at - b.at)
}

export function recordMove(disk: Disk, data: string, move: MovedProject): void {
  const directory = makePrivateDirectory(disk, data, [DIRECTORY])
  writeOnce(disk, directory, `${move.at}.json`, Buffer.from(JSON.stringify(move)))
}

/** The store that came with a directory when it was moved here. */
export function findMovedKey(
  disk: Disk,
  data: string,
  { path, inode }: { readonly path: string; readonly inode: string },
): string | null {
  const stores = readMoves(disk, data).flatMap((move) => move.stores)
  return stores.findLast((store) => store.path === path && store.inode === inode)?.key ?? null
}

function parse(bytes: Buffer | null): MovedProject | null {
  if (bytes === null) return null
  try {
    const { from, to, at, stores } = JSON.parse(bytes.toString('utf8')) as Partial<MovedProject>
    const isMove = typeof from === 'string' && typeof to === 'string' && typeof at === 'number'
    return isMove ? { from, to, at, stores: Array.isArray(stores) ? stores : [] } : null
  } catch {
    return null
  }
}
