import { meet, type Difference, type Tree } from './read-tree.ts'

/**
 * Only files that a reverted turn and another turn both changed may conflict (sem.V5), even after
 * the revert is off, because the other turn was made without it. So may files that a turn changed
 * after the operation to undo (sem.O2). A renamed file conflicts at both of its paths (sem.M5).
 */
export function mayConflict(
  files: readonly string[],
  {
    changedBy,
    reverted,
    since,
  }: {
    changedBy: ReadonlyMap<string, readonly Difference[]>
    /** Turns that are or were reverted. */
    reverted: ReadonlySet<string>
    /** Turns after the operation to undo. */
    since: ReadonlySet<string>
  },
): boolean {
  const changers = (file: string): string[] =>
    [...changedBy].flatMap(([turn, changes]) =>
      changes.some(({ path }) => meet(path, file)) ? [turn] : [],
    )
  const isMixed = (file: string): boolean => {
    const turns = changers(file)
    if (turns.some((turn) => since.has(turn))) return true
    return turns.length > 1 && turns.some((turn) => reverted.has(turn))
  }
  const moves = [...changedBy.values()].map(movedPaths)
  const isTied = (one: string, other: string): boolean =>
    moves.some(
      ({ left, come }) => (left.has(one) && come.has(other)) || (left.has(other) && come.has(one)),
    )
  const excused = new Set(files.filter(isMixed))
  // The set grows during the loop, because a file may be renamed more than once.
  for (const file of excused) for (const other of files) if (isTied(file, other)) excused.add(other)
  const isOfRename = (file: string): boolean =>
    excused.size > 0 && isPassing(file, [...changedBy.values()])
  return files.every((file) => excused.has(file) || isOfRename(file))
}

/** Whether a file was there only within one turn, which renamed it more than once (sem.M5). */
function isPassing(file: string, turns: readonly (readonly Difference[])[]): boolean {
  return !turns.some((changes) =>
    changes.some(({ path, one, other }) => path === file && (isFile(one) || isFile(other))),
  )
}

const isFile = (line: string): boolean => /^file|^link/.test(line)

/**
 * Whether a file cannot go back to where a turn renamed it from, because something else is there
 * now. `turns` has the changes of each turn, oldest first.
 */
export function isOldPathTaken(
  path: string,
  files: readonly string[],
  { turns, tree }: { turns: readonly (readonly Difference[])[]; tree: Tree },
): boolean {
  const isTaken = (old: string): boolean =>
    tree.has(old) || [...tree].some(([each, line]) => isFile(line) && meet(each, old))
  const paths = new Set([path])
  for (const changes of turns.toReversed())
    for (const { from, to } of findRenames(changes))
      if (paths.has(to) && files.includes(from)) paths.add(from)
  if (files.some((file) => !paths.has(file) && !isPassing(file, turns))) return false
  paths.delete(path)
  return [...paths].some(isTaken)
}

/** The pairs of paths between which a file may have moved in a turn: they share a line. */
function findRenames(changes: readonly Difference[]): Rename[] {
  const { left, come } = movedPaths(changes)
  const textOf = (line: string): string => line.replace(/^file \d+ (text )?/, '')
  const isSimilar = (one: string, other: string): boolean => {
    const [text, lines] = [textOf(one), textOf(other).split('\n')]
    return text === lines.join('\n') || text.split('\n').some((line) => line !== '' && lines.includes(line)) // prettier-ignore
  }
  const of = (paths: ReadonlySet<string>): Difference[] =>
    changes.filter(({ path }) => paths.has(path))
  return of(left).flatMap(({ path: from, one }) =>
    of(come).flatMap(({ path: to, other }) => (isSimilar(one, other) ? [{ from, to }] : [])),
  )
}

/** A file that a turn moved. */
export interface Rename {
  readonly from: string
  readonly to: string
}

/**
 * What moved between two trees: a file kept its inode, or it was copied to a free path and its own
 * path deleted or written anew.
 */
export function findMoved(before: TreeWithInodes, after: TreeWithInodes): Rename[] {
  const come = [...after.inodes].filter(([path, inode]) => before.inodes.get(path) !== inode)
  const isCopied = (from: string, to: string): boolean =>
    !before.tree.has(to) &&
    withoutMode(after.tree.get(to)) === withoutMode(before.tree.get(from)) &&
    after.tree.get(from) !== before.tree.get(from)
  return [...before.inodes].flatMap(([from, inode]) =>
    come.flatMap(([to, other]) =>
      to !== from && (other === inode || isCopied(from, to)) ? [{ from, to }] : [],
    ),
  )
}

const withoutMode = (line: string | undefined): string | undefined =>
  line?.replace(/^file \d+ /, 'file ')

export interface TreeWithInodes {
  readonly tree: Tree
  readonly inodes: ReadonlyMap<string, number>
}

/** The path and all paths that renames connect with it. */
export function findJoined(
  path: string,
  turns: readonly { changes: readonly Difference[]; moved: readonly Rename[] }[],
): ReadonlySet<string> {
  const joined = new Set([path])
  // The set grows during the loop, because a file may be renamed more than once.
  for (const each of joined)
    for (const { changes, moved } of turns) {
      // The turn may have written the same content again where it moved a file away.
      for (const { from, to } of moved) if (from === each || to === each) joined.add(from).add(to)
      const here = changes.find((change) => change.path === each)
      if (here === undefined) continue
      // A file may also have moved to a path where the turn deleted another one.
      for (const { path: other, one, other: after } of changes)
        if ((isFile(here.one) && isFile(after)) || (isFile(here.other) && isFile(one)))
          joined.add(other)
    }
  return joined
}

/** The paths that files left in a turn, and the paths they moved to. */
function movedPaths(changes: readonly Difference[]): { left: Set<string>; come: Set<string> } {
  const paths = (found: readonly Difference[]): Set<string> =>
    new Set(found.map(({ path }) => path))
  return {
    // Another file may have taken the old path.
    left: paths(changes.filter(({ one }) => isFile(one))),
    come: paths(changes.filter(({ one, other }) => !isFile(one) && isFile(other))),
  }
}
