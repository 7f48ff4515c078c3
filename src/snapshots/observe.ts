import {
  decodeRow,
  isPartialRow,
  nameText,
  openRowScan,
  splitLast,
  type Finding,
  type PinnedRoot,
  type RowScan,
} from '#disk'
import { Failure } from '#failure'
import { snapshotOf, storedGeneration, write, type SnapshotOf, type Store } from '#store'
import type { ProjectPath } from '#timeline'
import { openBorrowing, type Borrowing } from './borrowing.ts'
import { compareFindings, noDifferences } from './compare-findings.ts'
import type { Differences, DirectoryListener } from './comparison.ts'
import { directoryScopes } from './directory-scopes.ts'
import type { LeftOutWhy } from './entry-value.ts'
import type { GitSettings } from './git-conversion.ts'
import { findRepository, type Repository } from './git-directory.ts'
import type { UserGit } from './git-ignoring.ts'
import { openTracked, type Tracked } from './git-tracked.ts'
import { openGitObjects, type GitObjects } from './git-objects.ts'
import { DEFAULT_LIMITS, openIntake, racySince, type Limits } from './intake.ts'
import { openPlainScans } from './plain-scans.ts'
import { IGNORE_FILE, readOuterRules, stickyPaths, type OuterRules } from './scope.ts'
import { loadTable, type Table } from './load-table.ts'
import { draftOf, type Draft } from './table.ts'

/** A project to observe, with the result of the last observation. */
export interface Project {
  readonly store: Store
  readonly root: PinnedRoot
  /** Identifies the rows in the store: '' for the project's own root. */
  readonly of: SnapshotOf
  /** Subdirectories with snapshots of their own. */
  readonly without: readonly string[]
  /** The user's ignore file for all repositories, if any. */
  readonly globalExcludes: string | null
  readonly gitSettings: GitSettings | null
  readonly now: () => number
  table: Table | null
  tracked: Tracked | null
  objects: { readonly directory: string; readonly open: GitObjects } | null
}

export interface Request {
  /** Paths that stay in scope while they exist: those with a link (sem.A7). */
  readonly sticky?: Iterable<ProjectPath>
  readonly limits?: Partial<Limits>
  /** Patterns of ignored files to scan anyway. */
  readonly include?: readonly string[]
  /** Runs in the transaction that saves the observation, so both are written or neither. */
  readonly note?: (observation: Observation) => void
}

export interface Observation extends Differences {
  /** Nothing was recorded before: the present state is the baseline, without changes. */
  readonly isFirst: boolean
  /** Git's id of the whole tree. */
  readonly tree: string
  /** Everything that exists in scope but is not in the snapshot. */
  readonly notCaptured: readonly { readonly path: ProjectPath; readonly why: LeftOutWhy }[]
  /** Bytes of contents that were added to the store. */
  readonly stored: number
  /** Whether an editor saved the file since the last scan. Only a watch knows. */
  readonly isEditorSave?: (path: ProjectPath) => boolean
}

export function openProject({
  store,
  root,
  outside,
  globalExcludes = null,
  gitSettings = null,
  now = Date.now,
}: {
  store: Store
  root: PinnedRoot
  /** Set if the root is a directory outside of the project. */
  outside?: { readonly without: readonly string[] }
  globalExcludes?: string | null
  /** Without settings, Retake does not trust git's index and reads all files. */
  gitSettings?: GitSettings | null
  now?: () => number
}): Project {
  return {
    store,
    root,
    of: outside === undefined ? '' : snapshotOf(root.path),
    without: outside?.without ?? [],
    globalExcludes,
    gitSettings,
    now,
    table: null,
    tracked: null,
    objects: null,
  }
}

/** Closes git's packs. */
export function closeProject(project: Project): void {
  project.objects?.open[Symbol.dispose]()
  project.objects = null
}

/** Opens git's objects for borrowing; null outside a repository. */
export function borrowingOf(project: Project, repository: Repository | null): Borrowing | null {
  if (repository === null) return null
  const directory = `${repository.common}/objects`
  if (project.objects?.directory !== directory) {
    closeProject(project)
    project.objects = { directory, open: openGitObjects(directory) }
  }
  const { root, gitSettings: settings } = project
  return openBorrowing({ root: root.path, repository, objects: project.objects.open, settings })
}

/** Stats every file in scope, and reads those whose stat changed since the last observation. */
export function observe(project: Project, request: Request = {}): Observation {
  using scan = tableScan(project)
  return takeObservation(project, request, scan)
}

/** Finds where the table may no longer match the disk. */
export interface Finder {
  /** False to scan without worker threads: the process keeps much of the memory that they needed. */
  readonly threads: boolean
  /** Called before the table is loaded, with the number of rows. The callback receives each row. */
  reading?(count: number): (path: string, row: Buffer) => void
  find(table: Table): Finding[]
  /** Scans everything, where `find` only covers reported changes. */
  findAll?(table: Table): Finding[]
}

/** Finds every path whose stat differs from the table, without reading a file. */
export function tableScan({ root }: Project, threads = true): Finder & Disposable {
  let scan: RowScan | null = null
  const open = (expected: number): RowScan => {
    scan?.[Symbol.dispose]()
    const trustTimes = updatesDirectoryTimes(root)
    return (scan = openRowScan(root.path, { trustTimes, expected, threads }))
  }
  return {
    threads,
    reading(count) {
      const begun = open(count)
      return (path, row) => begun.add(path, row)
    },
    find(table) {
      if (scan === null) {
        const begun = open(table.rows.size)
        for (const [path, row] of table.rows) begun.add(path, row)
      }
      const findings = scan!.finish()
      scan![Symbol.dispose]()
      scan = null
      return findings
    },
    [Symbol.dispose]: () => scan?.[Symbol.dispose](),
  }
}

const MAX_ATTEMPTS = 3
const NO_LISTENER: DirectoryListener = { enter() {}, leave() {} }

/** Compares the findings with the table, and saves contents and table in one transaction. */
export function takeObservation(
  project: Project,
  request: Request,
  finder: Finder,
  listener: DirectoryListener = NO_LISTENER,
): Observation {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const observation = tryObservation(project, request, finder, listener)
    if (observation !== null) return observation
  }
  throw new Failure('store-busy', 'Other processes keep observing this project.', {
    hint: 'Try again in a moment.',
  })
}

function tryObservation(
  project: Project,
  request: Request,
  finder: Finder,
  listener: DirectoryListener,
): Observation | null {
  const { store, root, of } = project
  // Taken first, because the scan starts while the table is being loaded.
  const now = project.now()
  if (project.table === null || project.table.generation !== storedGeneration(store, of))
    project.table = loadTable(store, (count) => finder.reading?.(count) ?? (() => {}), of)
  const { table } = project
  const sticky = stickyPaths(request.sticky ?? [])
  const repository = findRepository(root.path)
  const outer = readOuterRules(root.path, repository, userGitOf(project), request.include ?? [])
  const tracked = trackedBy(project, repository)
  const last = table === null ? null : parseRules(table.rules)
  const sawIgnored = last === null || last.scope === SCOPE_VERSION
  const before = last?.outer ?? outer
  const rules = JSON.stringify({
    scope: SCOPE_VERSION,
    outer,
    index: tracked.identity,
  } satisfies Rules)
  const borrowing = borrowingOf(project, repository)

  const draft = draftOf(table, of)
  const limits = { ...DEFAULT_LIMITS, ...request.limits }
  const intake = openIntake({ root, store, limits, borrowing, now })
  const scopeAt = directoryScopes({
    root,
    outer: { now: outer, before },
    sawIgnoredFiles: sawIgnored,
    sticky,
    tracked,
    without: new Set(project.without),
    entryBefore: (directory) => draft.open(directory)?.entries.get(IGNORE_FILE),
    bytesOf: intake.bytesOf,
  })
  const findings: Finding[] =
    table === null || !sawIgnored || JSON.stringify(before) !== JSON.stringify(outer)
      ? [{ path: '', names: 'list-again' }]
      : [
          ...finder.find(table),
          ...missingFromTable(table, sticky.paths),
          ...(last?.index === tracked.identity
            ? []
            : missingFromTable(table, trackedOutsideTable(table, tracked))),
        ]
  const racyFrom = racySince(now)
  // A listener must enter a directory before it is listed, which plain looks do not do.
  using plain =
    table === null && listener === NO_LISTENER && borrowing !== null
      ? openPlainScans({ root, borrowing, racyFrom, threads: finder.threads })
      : null
  const found = noDifferences()
  const comparison = { root, draft, scopeAt, intake, racyFrom, sawIgnored, listener, plain, found }
  compareFindings(comparison, findings)
  // Adding or removing a hard link raises no event at the file's other names.
  if (table !== null && finder.findAll !== undefined && !haveSameHardLinks(table, draft))
    compareFindings(comparison, finder.findAll(table))
  for (const [path, change] of found.changed)
    if (change.before.kind === 'file' && !intake.secure(change.before.content))
      found.changed.set(path, {
        ...change,
        before: { kind: 'unknown', why: 'git no longer has it' },
      })
  const tree = draft.settle()
  const hasNews = draft.isChanged || table?.rules !== rules
  const observation: Observation = {
    ...found,
    isFirst: table === null,
    tree,
    notCaptured: [...draft.leftOut].map(([path, why]) => ({ path: path as ProjectPath, why })),
    stored: intake.stored,
  }
  if (hasNews || request.note !== undefined) {
    const isSaved = write(store, () => {
      intake.flush()
      if (hasNews && !draft.save(store, { tree, rules, at: now })) return false
      request.note?.(observation)
      return true
    })
    if (!isSaved) return null
    if (hasNews) project.table = draft.result()
  }
  return observation
}

function userGitOf({ globalExcludes, gitSettings }: Project): UserGit {
  const { configs = [], home = null } = gitSettings ?? {}
  return { excludes: globalExcludes, configs, home }
}

/** The version of the scope rules; version 2 includes ignored files. */
const SCOPE_VERSION = 2

interface Rules {
  readonly scope: number
  readonly outer: readonly OuterRules[]
  /** Identifies the git index that was in effect. */
  readonly index: string
}

/** The first versions stored only the list of outer rules. */
function parseRules(text: string): Rules {
  const kept = JSON.parse(text) as Rules | OuterRules[]
  return Array.isArray(kept) ? { scope: 1, outer: kept, index: '' } : kept
}

/** Reuses the parsed index until git writes a new one. */
function trackedBy(project: Project, repository: Repository | null): Tracked {
  const tracked = openTracked(project.root.path, repository)
  if (project.tracked?.identity !== tracked.identity) project.tracked = tracked
  return project.tracked
}

/** Tracked files in directories that are not fully in the table: git may track them only now. */
function* trackedOutsideTable(table: Table, tracked: Tracked): Iterable<string> {
  for (const bytes of tracked.directories()) {
    const directory = nameText(Buffer.from(bytes, 'latin1'))
    const row = table.rows.get(directory)
    if (row !== undefined && !isPartialRow(row)) continue
    const prefix = directory === '' ? '' : `${directory}/`
    for (const name of tracked.namesIn(bytes)) yield prefix + nameText(Buffer.from(name, 'latin1'))
  }
}

/** Whether both have the same set of hard-linked files. */
function haveSameHardLinks(before: Pick<Draft, 'leftOut'>, now: Pick<Draft, 'leftOut'>): boolean {
  const isMissingIn = (other: Pick<Draft, 'leftOut'>, [path, why]: [string, LeftOutWhy]): boolean =>
    why === 'hard-linked' && other.leftOut.get(path) !== why
  return (
    ![...before.leftOut].some((each) => isMissingIn(now, each)) &&
    ![...now.leftOut].some((each) => isMissingIn(before, each))
  )
}

/** Findings for paths that must stay in scope but are missing from the table. */
function missingFromTable(table: Table, sticky: Iterable<string>): Finding[] {
  const wanted = new Map<string, Set<string>>()
  for (const path of sticky) {
    let { parent, name } = splitLast(path)
    while (parent !== '' && !table.rows.has(parent)) ({ parent, name } = splitLast(parent))
    const names = wanted.get(parent)
    if (names === undefined) wanted.set(parent, new Set([name]))
    else names.add(name)
  }
  return [...wanted].flatMap(([path, names]) => {
    const { entries } = decodeRow(table.rows.get(path)!)
    const missing = [...names].filter((name) => !entries.has(name))
    return missing.length === 0 ? [] : [{ path, names: missing }]
  })
}

// ext2 to ext4, XFS, btrfs, tmpfs, overlayfs, ZFS, F2FS, APFS: adding or removing a name changes
// the times of its directory. On other file systems every directory is listed each time.
const DIRECTORY_TIME_FILE_SYSTEMS = new Set([
  0xef53, 0x5846_5342, 0x9123_683e, 0x0102_1994, 0x794c_7630, 0x2fc1_2fc1, 0xf2f5_2010, 0x1a,
])

function updatesDirectoryTimes(root: PinnedRoot): boolean {
  return DIRECTORY_TIME_FILE_SYSTEMS.has(root.disk.space(root.at('.')).type >>> 0)
}
