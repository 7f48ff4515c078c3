import {
  isUnchanged,
  lstatForScan,
  readValue,
  splitLast,
  type FoundEntry,
  type PinnedRoot,
  type RowEntry,
  type ScanStat,
} from '#disk'
import type { ContentId } from '#timeline'
import {
  IGNORE_FILE,
  judge,
  outerScope,
  scopeOf,
  stickyPaths,
  type OuterRules,
  type Scope,
  type StickyPaths,
  type TrackedPaths,
} from './scope.ts'

/** The scope of a directory now, and at the last observation. */
export interface ScopePair {
  readonly now: Scope
  /** Null if unknown: then nothing counts as having been in scope. */
  readonly before: Scope | null
  readonly isSame: boolean
}

const UNKNOWN = 'unknown'
const DIRECTORY = { isDirectory: true }

/**
 * Computes the scope of each directory once per observation, and reads ignore files on the way
 * down.
 */
export function directoryScopes({
  root,
  outer,
  sawIgnoredFiles,
  sticky,
  tracked,
  without,
  entryBefore,
  bytesOf,
}: {
  root: PinnedRoot
  outer: { readonly now: readonly OuterRules[]; readonly before: readonly OuterRules[] }
  /** Whether the last observation included ignored files. */
  sawIgnoredFiles: boolean
  sticky: StickyPaths
  tracked: TrackedPaths
  /** Directories that are never entered. */
  without: ReadonlySet<string>
  /** The directory's ignore file, as the last observation recorded it. */
  entryBefore: (directory: string) => RowEntry | undefined
  bytesOf: (id: ContentId) => Buffer | null
}): (directory: string, holds?: (name: string) => boolean) => ScopePair {
  const known = new Map<string, ScopePair>()
  const above: ScopePair = {
    now: outerScope(outer.now, sticky, { tracked, without }),
    // Without sticky and tracked paths: these apply to the present scope only.
    before: outerScope(outer.before, stickyPaths([]), { seesIgnoredFiles: sawIgnoredFiles }),
    isSame: sawIgnoredFiles && JSON.stringify(outer.now) === JSON.stringify(outer.before),
  }
  const find = (path: string, holds?: (name: string) => boolean): ScopePair => {
    const cached = known.get(path)
    if (cached !== undefined) return cached
    const { parent: directory, name } = splitLast(path)
    const parent = path === '' ? above : find(directory)
    // An ignored directory, entered for paths that were in scope before: new names in it are not.
    const isPartial = path !== '' && judge(parent.now, name, DIRECTORY) !== 'in'
    const wasOut =
      path !== '' && parent.before !== null && judge(parent.before, name, DIRECTORY) !== 'in'
    // Most directories have no ignore file, and a listing saves the lstat.
    const mayHave = holds?.(IGNORE_FILE) !== false
    const { now, stat } = mayHave ? readIgnoreFile(root, path) : { now: null, stat: null }
    const entry = entryBefore(path)
    const wasFile = entry?.kind === 'file' || entry?.kind === 'rules'
    const wasLeftOut = entry?.kind === 'left-out'
    // A symlink or a directory with this name holds no rules.
    const isSame = wasFile
      ? now?.content === entry.id
      : wasLeftOut
        ? stat !== null && isUnchanged(entry, stat)
        : now === null
    const before = isSame
      ? (now?.bytes ?? null)
      : wasFile
        ? (bytesOf(entry.id as ContentId) ?? UNKNOWN)
        : wasLeftOut
          ? UNKNOWN
          : null
    const pair: ScopePair = {
      now: scopeOf(parent.now, path, now?.bytes ?? null, isPartial),
      before:
        parent.before === null || before === UNKNOWN
          ? null
          : scopeOf(parent.before, path, before, wasOut),
      isSame: parent.isSame && isSame,
    }
    known.set(path, pair)
    return pair
  }
  return find
}

/** Git does not follow a symlink here. Neither does Retake: it may lead out of the project. */
function readIgnoreFile(
  root: PinnedRoot,
  directory: string,
): { now: (FoundEntry & { kind: 'file' }) | null; stat: ScanStat | null } {
  const path = directory === '' ? IGNORE_FILE : `${directory}/${IGNORE_FILE}`
  // An lstat by path is enough to skip most directories. Opening each by its parents would cost
  // more than the rest of a first scan.
  const stat = tryLstat(`${root.path}/${path}`)
  const found = stat?.isFile() === true ? readValue(root, path) : null
  return { now: found?.kind === 'file' ? found : null, stat }
}

function tryLstat(path: string): ScanStat | null {
  try {
    return lstatForScan(path)
  } catch {
    return null
  }
}
