import { makePrivateDirectory, nameBytes, nameText, readOwnFile, writeOnce, type Disk } from '#disk'

/** A project that the user reported as moved. */
export interface MovedProject {
  readonly from: string
  readonly to: string
  /** In ms since 1970. A session that began later at the old path belongs to the old path. */
  readonly at: number
  /** The stores that moved along: of the project, and of projects inside it. */
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

/** The key of the store that moved here with a directory. */
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
