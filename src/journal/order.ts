import { splitLast } from '#disk'
import { foldName, FOLDS_ALL, type ProjectPath, type Value } from '#timeline'

/** One path of an operation: the value expected there, and the value to write. */
export interface Change {
  readonly path: ProjectPath
  readonly pre: Value
  readonly post: Value
  /** The user's choice in a conflict. It is only recorded. */
  readonly choice?: string
}

/**
 * The steps in the order in which they run. A rollback runs the list from its end. `n` is the index
 * in the list of changes.
 *
 * `strict` and `must` mark steps that belong together, such as a file that becomes a directory. If
 * one of them is blocked, the whole operation rolls back.
 */
export type Step =
  | { readonly do: 'clear'; readonly n: number }
  | { readonly do: 'place'; readonly n: number; readonly strict: boolean }
  | { readonly do: 'delete'; readonly n: number }
  | { readonly do: 'make-directory'; readonly path: string; readonly mode: number | null }
  | {
      readonly do: 'remove-directory'
      readonly path: string
      readonly mode: number
      readonly must: boolean
    }
  /** Renames a directory whose name differs only in spelling, with everything in it. */
  | { readonly do: 'respell-directory'; readonly from: string; readonly to: string }

/** The present tree, as far as ordering needs it. */
export interface PresentTree {
  /**
   * The path and all directories below it, with their modes. Empty if the path is not a directory.
   */
  directoriesBelow(path: string): { path: string; mode: number }[]
  isDirectory(path: string): boolean
  modeOf(path: string): number
  /**
   * The present directory that the volume takes for this one, although it is spelled otherwise. Null
   * without one, and if the path exists as it is spelled.
   */
  twinOf(path: string): string | null
}

export interface DirectoryRequests {
  /** Directories that must exist afterwards, even if empty. */
  readonly make?: readonly { readonly path: ProjectPath; readonly mode?: number }[]
  /** Directories to remove if they are empty by then. */
  readonly remove?: readonly ProjectPath[]
}

/**
 * Orders the steps by sem.O4: move aside paths that change their kind or case, then rename
 * directories that change their case, then create and replace, then delete, then remove directories.
 * Only deleting last would break a file that becomes a directory, and `Foo` that becomes `foo`.
 */
export function orderSteps(
  changes: readonly Change[],
  wishes: DirectoryRequests,
  present: PresentTree,
): { steps: Step[]; anchors: string[] } {
  const created = changes.filter(({ post }) => post.kind !== 'absent').map(({ path }) => path)
  const createdPaths = new Set<string>(created)
  // The directory in place of a new file may be spelled otherwise.
  const replaced = new Set(created.map((path) => present.twinOf(path) ?? path))
  // A new empty directory needs its path cleared just like one that will contain files.
  const made = missingOrRespelled(wishes, present).flatMap((path) => [path, ...parentsOf(path)])
  const createdParents = new Set([...created.flatMap((path) => parentsOf(path)), ...made])
  const fold = (path: string): string => foldName(path, FOLDS_ALL)
  const folded = new Set([...createdPaths, ...createdParents].map(fold))

  const respelled = respelledDirectories(createdParents, present)
  const isInRespelled = (path: string): boolean =>
    respelled.some(({ twin }) => path === twin || path.startsWith(`${twin}/`))
  const isEarly = ({ path, post }: Change): boolean =>
    post.kind === 'absent' &&
    (parentsOf(path).some((parent) => replaced.has(parent)) ||
      folded.has(fold(path)) ||
      isInRespelled(path))

  const early = indexes(changes, isEarly)
  const isStrict = ({ path }: Change): boolean =>
    early.some((n) => {
      const cleared = changes[n]!.path
      return (
        parentsOf(cleared).includes(present.twinOf(path) ?? path) || fold(cleared) === fold(path)
      )
    })

  const becomeFiles = [...replaced]
    .flatMap((path) => present.directoriesBelow(path))
    .sort(deepestFirst)
  const toRemove = (wishes.remove ?? [])
    .filter((path) => present.isDirectory(path) && !becomeFiles.some((gone) => gone.path === path))
    .map((path) => ({ path: respell(path, respelled), mode: present.modeOf(path) }))
    .filter(({ path }) => !createdParents.has(path))
    .sort(deepestFirst)
  const gone = new Set([...becomeFiles, ...toRemove].map(({ path }) => path))

  const steps: Step[] = [
    ...early.map((n): Step => ({ do: 'clear', n })),
    ...becomeFiles.map((gone) => removal(gone, true)),
    ...respelled.map(({ from, to }): Step => ({ do: 'respell-directory', from, to })),
    ...missingDirectories(createdParents, wishes, present),
    ...indexes(changes, ({ post }) => post.kind !== 'absent').map((n): Step => ({
      do: 'place',
      n,
      strict: isStrict(changes[n]!),
    })),
    ...indexes(changes, (change) => change.post.kind === 'absent' && !isEarly(change)).map(
      (n): Step => ({ do: 'delete', n }),
    ),
    ...toRemove.map((gone) => removal(gone, false)),
  ]
  const isGone = (path: string): boolean => gone.has(path) || isInRespelled(path)
  const anchors = changes.map(({ path }) => anchorOf(path, isGone, present))
  return { steps, anchors }
}

/** A directory that is there in another spelling keeps it, unless the operation removes that one. */
function missingOrRespelled(wishes: DirectoryRequests, present: PresentTree): ProjectPath[] {
  const removed = new Set<string>(wishes.remove)
  const paths = (wishes.make ?? []).map(({ path }) => path)
  return paths.filter((path) => {
    const twin = present.twinOf(path)
    return twin === null || removed.has(twin)
  })
}

function removal({ path, mode }: { path: string; mode: number }, must: boolean): Step {
  return { do: 'remove-directory', path, mode, must }
}

/** A present directory, the name it gets, and its path right before that. */
interface Respelled {
  readonly twin: string
  readonly from: string
  readonly to: string
}

/** Parents first, so by the turn of a directory its parent has its new name. */
function respelledDirectories(needed: ReadonlySet<string>, present: PresentTree): Respelled[] {
  return [...needed]
    .flatMap((to) => {
      const twin = present.twinOf(to)
      const { parent, name } = splitLast(to)
      const old = splitLast(twin ?? '').name
      // Below a renamed directory, most names stay as they are.
      if (twin === null || old === name) return []
      return [{ twin, from: parent === '' ? old : `${parent}/${old}`, to }]
    })
    .sort((a, b) => depthOf(a.to) - depthOf(b.to) || compare(a.to, b.to))
}

/** The path once the directories have their new names. */
function respell(path: string, respelled: readonly Respelled[]): string {
  const around = respelled.findLast(({ twin }) => path === twin || path.startsWith(`${twin}/`))
  return around === undefined ? path : around.to + path.slice(around.twin.length)
}

function missingDirectories(
  needed: ReadonlySet<string>,
  wishes: DirectoryRequests,
  present: PresentTree,
): Step[] {
  const modes = new Map<string, number | null>(
    wishes.make?.map(({ path, mode }) => [path, mode ?? null]),
  )
  const wanted = new Set(needed)
  for (const path of modes.keys()) for (const each of [path, ...parentsOf(path)]) wanted.add(each)
  return [...wanted]
    .filter((path) => !present.isDirectory(path) && present.twinOf(path) === null)
    .sort((a, b) => depthOf(a) - depthOf(b) || compare(a, b))
    .map((path) => ({ do: 'make-directory', path, mode: modes.get(path) ?? null }))
}

/**
 * The nearest parent directory that exists during the whole operation. The operation's files cannot
 * be in a directory that it has yet to make, nor in one that must become empty.
 */
function anchorOf(
  path: string,
  isGone: (directory: string) => boolean,
  present: PresentTree,
): string {
  for (const parent of parentsOf(path))
    if (present.isDirectory(parent) && !isGone(parent)) return parent
  return ''
}

/** The parent directories of a path, nearest first, without the root. */
export function parentsOf(path: string): string[] {
  const parents: string[] = []
  for (let { parent } = splitLast(path); parent !== ''; parent = splitLast(parent).parent)
    parents.push(parent)
  return parents
}

function indexes(changes: readonly Change[], is: (change: Change) => boolean): number[] {
  return [...changes.keys()].filter((n) => is(changes[n]!))
}

function deepestFirst(a: { path: string }, b: { path: string }): number {
  return depthOf(b.path) - depthOf(a.path) || compare(a.path, b.path)
}

function depthOf(path: string): number {
  return path.split('/').length
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
