import {
  annexBelow,
  exactRoot,
  findListed,
  isSameFile,
  nameText,
  rootOfPath,
  spellsGit,
  splitLast,
  splitPath,
  tryInDirectory,
  LARGEST_FILE,
  type PinnedRoot,
  type Stat,
} from '#disk'
import { Failure } from '#failure'
import { contentSize, readTogether, type Store } from '#store'
import type { ContentId } from '#timeline'
import type { Journal, OperationPlan, Refusal } from './journal.ts'
import { orderSteps, parentsOf, type Change, type PresentTree, type Step } from './order.ts'

export interface Survey {
  readonly refusals: readonly Refusal[]
  readonly steps: readonly Step[]
  readonly anchors: readonly string[]
}

/**
 * Checks every path without opening it, and finds all reasons to refuse before anything changes.
 */
export function survey(journal: Journal, plan: OperationPlan): Survey {
  const { store } = journal
  // In one transaction: SQLite locks the file once, not for each content.
  return readTogether(store.database, () => surveyWith(journal, plan, sizesIn(store)))
}

function surveyWith(journal: Journal, plan: OperationPlan, sizeOf: SizeOf): Survey {
  const tree = openTree(journal.root, plan)
  const refusals: Refusal[] = []
  const refuse = (path: Refusal['path'], why: Refusal['why']) => refusals.push({ path, why })

  const seen = new Set<string>()
  for (const change of plan.changes) {
    if (seen.has(change.path))
      throw new Failure('plan-invalid', `${change.path} is in the plan twice.`)
    seen.add(change.path)
    for (const why of reasonsAgainst(journal, plan, change, { tree, sizeOf }))
      refuse(change.path, why)
  }
  if (refusals.length > 0) return { refusals, steps: [], anchors: [] }

  const { steps, anchors } = orderSteps(plan.changes, plan.directories ?? {}, tree)
  for (const [n, { path }] of plan.changes.entries())
    if (!tree.isWritable(anchors[n]!) || !tree.isWritable(splitLast(path).parent))
      refuse(path, 'not-writable')
  for (const { path, why } of inTheWay(plan, tree)) refuse(path, why)
  if (!hasSpace(journal, plan, { tree, sizeOf })) refuse(null, 'no-space')
  return { refusals, steps, anchors }
}

/** The size of a stored content; null if it is not in the store. */
type SizeOf = (content: ContentId) => number | null

function sizesIn(store: Store): SizeOf {
  const sizes = new Map<ContentId, number | null>()
  return (content) => {
    let size = sizes.get(content)
    if (size === undefined) sizes.set(content, (size = contentSize(store, content)))
    return size
  }
}

interface Present {
  readonly tree: Tree
  readonly sizeOf: SizeOf
}

interface Tree extends PresentTree {
  stat(path: string): Stat | null
  isWritable(directory: string): boolean
  /**
   * Whether the directory and all its parents exist, are not links, are on this file system, and
   * are allowed.
   */
  isReached(directory: string): boolean
  entriesBelow(path: string): string[]
}

function openTree(plain: PinnedRoot, plan: OperationPlan): Tree {
  const root = exactRoot(plain)
  const { disk } = root
  const stats = new Map<string, Stat | null>()
  const reached = new Map<string, 'writable' | 'read-only' | null>()
  const namesIn = Map.groupBy(
    plan.changes.map(({ path }) => splitLast(path)),
    ({ parent }) => parent,
  )
  /** Directories that were reached, with all their parents. */
  const reachedWithParents = new Set<string>()

  function stat(path: string): Stat | null {
    if (path === '') return root.stat
    const annex = annexBelow(root, path)
    if (annex !== null) return annex.stat
    let found = stats.get(path)
    if (found === undefined) {
      const { parent, name } = splitLast(path)
      found = tryInDirectory(root, parent, (directory) => disk.stat(directory.at(name)))
      stats.set(path, found)
    }
    return found
  }

  /** One walk checks all parent directories too, so they need no separate checks. */
  function reach(directory: string): 'writable' | 'read-only' | null {
    let found = reached.get(directory)
    if (found === undefined) {
      found = tryInDirectory(root, directory, (here) => {
        // All its files now, because another walk for each would check the directory again.
        for (const { name } of namesIn.get(directory) ?? [])
          stats.set(directory === '' ? name : `${directory}/${name}`, disk.stat(here.at(name)))
        return disk.isWritable(here.at('.')) ? 'writable' : 'read-only'
      })
      reached.set(directory, found)
      if (found !== null)
        for (const parent of [directory, ...parentsOf(directory)]) reachedWithParents.add(parent)
    }
    return found
  }

  const listed = new Map<string, string | null>()

  /** The path as its directories list it; null if nothing is there in any spelling. */
  function listedPath(path: string): string | null {
    if (path === '' || annexBelow(root, path) !== null) return path
    let found = listed.get(path)
    if (found !== undefined) return found
    const { parent, name } = splitLast(path)
    const above = listedPath(parent)
    const last =
      above === null ? null : tryInDirectory(plain, above, (here) => findListed(here, name))
    found = last === null ? null : above === '' ? last : `${above}/${last}`
    listed.set(path, found)
    return found
  }

  function twinOf(path: string): string | null {
    if (root === plain || stat(path) !== null) return null
    const twin = listedPath(path)
    return twin !== null && stat(twin)?.kind === 'directory' ? twin : null
  }

  function below(path: string, is: 'directory' | 'other'): string[] {
    if (stat(path)?.kind !== 'directory') return is === 'directory' ? [] : [path]
    const names = tryInDirectory(root, path, (directory) => disk.list(directory.at('.')))
    const inside = (names ?? []).map(nameText).flatMap((name) => {
      // Never enter a repository. It counts as one entry, and that entry stays.
      if (spellsGit(name)) return is === 'directory' ? [] : [`${path}/${name}`]
      return below(`${path}/${name}`, is)
    })
    return is === 'directory' ? [...inside, path] : inside
  }

  return {
    stat,
    twinOf,
    isDirectory: (path) => reachedWithParents.has(path) || stat(path)?.kind === 'directory',
    modeOf: (path) => stat(path)?.mode ?? 0,
    directoriesBelow: (path) =>
      below(path, 'directory').map((directory) => ({
        path: directory,
        mode: stat(directory)!.mode,
      })),
    entriesBelow: (path) => below(path, 'other'),
    // A missing directory will be made by the operation, inside one that is checked.
    isWritable: (path) => reach(path) !== 'read-only',
    isReached(path) {
      try {
        return reach(path) !== null
      } catch (error) {
        if (error instanceof Failure) return false
        throw error
      }
    },
  }
}

function reasonsAgainst(
  { root: project }: Journal,
  plan: OperationPlan,
  { path, pre, post }: Change,
  { tree, sizeOf }: Present,
): Refusal['why'][] {
  if (pre.kind === 'unknown' || post.kind === 'unknown') return ['unknown-value']
  const root = rootOfPath(project, path)
  if (splitPath(path.replace(/^\//, '')).some(spellsGit)) return ['protected']
  const parent = blockedParent(root, plan, path, tree)
  if (parent !== null) return [parent]
  const stat = tree.stat(path)
  if (stat?.kind === 'special') return ['special-file']
  if (stat?.kind === 'directory' && pre.kind !== 'absent') return ['directory-in-the-way']
  if (stat?.kind === 'directory' && isForbidden(root, stat)) return ['protected']
  // Replacing one hard link would silently separate it from the other.
  if (stat?.kind === 'file' && stat.links > 1) return ['hard-linked']
  if (stat?.kind === 'file' && stat.size > LARGEST_FILE) return ['too-big']
  const me = process.getuid?.()
  if (
    stat !== null &&
    stat.kind !== 'directory' &&
    me !== undefined &&
    me !== 0 &&
    stat.owner !== me
  )
    return ['other-owner']
  if (post.kind === 'file') {
    if (sizeOf(post.content) === null) return ['content-missing']
    // Retake could not read the file back to verify it. Root can read any file.
    if ((post.mode & 0o400) === 0 && me !== 0) return ['not-readable']
  }
  return []
}

/**
 * Every existing parent must be a real directory on this file system, and an allowed one. Checked
 * from the top, so that no forbidden directory is entered.
 */
function blockedParent(
  root: PinnedRoot,
  plan: OperationPlan,
  path: string,
  tree: Tree,
): Refusal['why'] | null {
  if (tree.isReached(splitLast(path).parent)) return null
  for (const parent of parentsOf(path).toReversed()) {
    const stat = tree.stat(parent)
    if (stat === null) return cannotRespell(plan, parent, tree) ? 'parent-in-the-way' : null
    if (stat.kind !== 'directory') {
      const makesRoom = plan.changes.some(
        (change) => change.path === parent && change.post.kind === 'absent',
      )
      return makesRoom ? null : 'parent-in-the-way'
    }
    if (isForbidden(root, stat)) return 'protected'
    if (stat.device !== root.stat.device) return 'other-file-system'
  }
  return null
}

/** Whether a directory stands there in another spelling, and the plan has no business to rename it. */
function cannotRespell({ changes }: OperationPlan, directory: string, tree: Tree): boolean {
  const twin = tree.twinOf(directory)
  if (twin === null) return false
  const inside = changes.filter(({ path }) => path.startsWith(`${twin}/`))
  if (inside.length === 0) return tree.entriesBelow(twin).length > 0
  return inside.some(({ post }) => post.kind !== 'absent')
}

function isForbidden({ never }: PinnedRoot, stat: Stat): boolean {
  return never.some((forbidden) => isSameFile(forbidden, stat))
}

/** A directory can become a file only if the same operation deletes everything in it. */
function inTheWay(plan: OperationPlan, tree: Tree): Refusal[] {
  const deleted = new Set<string>(
    plan.changes.filter(({ post }) => post.kind === 'absent').map(({ path }) => path),
  )
  return plan.changes
    .flatMap(({ path, post }) => {
      const directory = tree.isDirectory(path) ? path : tree.twinOf(path)
      return post.kind === 'absent' || directory === null ? [] : [{ path, directory }]
    })
    .filter(({ directory }) => tree.entriesBelow(directory).some((entry) => !deleted.has(entry)))
    .map(({ path }) => ({ path, why: 'directory-in-the-way' as const }))
}

/** Requires room for old and new files side by side. New bytes count twice. */
function hasSpace(
  { store, root, reserve }: Journal,
  plan: OperationPlan,
  { tree, sizeOf }: Present,
): boolean {
  const { disk } = root
  let fresh = 0
  let old = 0
  for (const { path, post } of plan.changes) {
    if (post.kind === 'file') fresh += sizeOf(post.content) ?? 0
    old += tree.stat(path)?.size ?? 0
  }
  const elsewhere = root.annexes
    .filter((annex) => plan.changes.some(({ path }) => path.startsWith(`${annex.path}/`)))
    .map((annex) => disk.space(annex.at('.')))
  if (elsewhere.some(({ free }) => free < reserve + 2 * fresh + old)) return false
  const project = disk.space(root.at('.'))
  const own = disk.space(Buffer.from(`${store.directory}/.`))
  const isOneDisk = store.identity.device === root.stat.device
  const needed = reserve + 2 * fresh + (isOneDisk ? old : 0)
  return (
    project.free >= needed &&
    project.freeFiles > plan.changes.length &&
    own.free >= (isOneDisk ? needed : reserve + old)
  )
}
