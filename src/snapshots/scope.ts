import { dirname, relative, sep } from 'node:path'
import { Failure } from '#failure'
import {
  isOwnName,
  isSameFile,
  nameBytes,
  readSmallFile,
  spellsGit,
  type Disk,
  type Stat,
} from '#disk'
import type { Repository } from './git-directory.ts'
import { readIgnoring, type GitIgnoring, type UserGit } from './git-ignoring.ts'
import { byteText, decide, foldAscii, parseIgnoreFile, type IgnoreRules } from './ignore-rules.ts'

/** An ignore file outside the project whose rules apply inside it. */
export interface OuterRules {
  /** The path from the ignore file's directory to the project. */
  readonly prefix: string
  /** Its bytes, one character each. Stored to tell later what was ignored at that time. */
  readonly text: string
  /** Takes precedence over the project's own ignore files. */
  readonly isFirst?: true
  /** Not rules: git compares names without regard to case here. */
  readonly ignoresCase?: true
}

/** The rules that apply in one directory, strongest first. */
export interface Scope {
  readonly path: string
  readonly levels: readonly Level[]
  /** Patterns that the user wants recorded although they are ignored. */
  readonly included: IgnoreRules
  /** An ignored directory, entered only for paths that stay in scope. */
  readonly isPartial: boolean
  readonly sticky: StickyPaths
  readonly tracked: TrackedPaths
  /** Directories that other snapshots cover: never entered or recorded here. */
  readonly without: ReadonlySet<string>
  /** Ignore files apply without regard to case (`core.ignorecase`). */
  readonly ignoresCase: boolean
  /** Files that Finder writes are left out: they are no one's work. */
  readonly skipsFinderFiles: boolean
  /** False for scans by old versions, which left out ignored files everywhere. */
  readonly seesIgnoredFiles: boolean
}

interface Level {
  readonly rules: IgnoreRules
  /** Without rules about paths, no path has to be built for every file. */
  readonly needsPath: boolean
  readonly prefix: string
  /** The length of the prefix to cut from a project path, up to the ignore file's directory. */
  readonly cut: number
}

/** Paths that stay in scope while they exist, regardless of ignore files (sem.A7). */
export interface StickyPaths {
  readonly paths: ReadonlySet<string>
  readonly directories: ReadonlySet<string>
}

/** Tracked files are in scope, regardless of ignore files (sem.A7). */
export interface TrackedPaths {
  has(path: string): boolean
  hasBelow(directory: string): boolean
}

const NONE: ReadonlySet<string> = new Set()

export const NOTHING_TRACKED: TrackedPaths = { has: () => false, hasBelow: () => false }

export const IGNORE_FILE = '.gitignore'
const MAX_IGNORE_FILE_BYTES = 4 * 1024 * 1024

export function stickyPaths(paths: Iterable<string>): StickyPaths {
  const directories = new Set<string>()
  const all = new Set(paths)
  for (const path of all) {
    for (let slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      const directory = path.slice(0, slash)
      if (directories.has(directory)) break
      directories.add(directory)
    }
  }
  return { paths: all, directories }
}

/**
 * The user's global excludes, the repository's `info/exclude` and the ignore files above the
 * project, weakest first; then the included patterns. If these rules ignore the project itself,
 * none of them applies: a user who opens an ignored directory as a project wants it recorded.
 */
export function readOuterRules(
  root: string,
  repository: Repository | null,
  git: UserGit,
  included: readonly string[],
): OuterRules[] {
  const ignoring = readIgnoring(repository, git)
  const own = readIgnoredAround(root, repository, ignoring) ?? []
  if (ignoring.ignoresCase) own.push({ prefix: '', text: '', ignoresCase: true })
  if (included.length === 0) return own
  return [...own, { prefix: '', text: byteText(included.join('\n')), isFirst: true }]
}

/** Whether the repository ignores this directory. */
export function isIgnoredIn(directory: string, repository: Repository, git: UserGit): boolean {
  return readIgnoredAround(directory, repository, readIgnoring(repository, git)) === null
}

/** Null if the project itself is ignored. */
function readIgnoredAround(
  root: string,
  repository: Repository | null,
  { excludes, ignoresCase }: GitIgnoring,
): OuterRules[] | null {
  const fold = ignoresCase ? foldAscii : (text: string) => text
  const inner = repository === null ? '' : relative(repository.top, root)
  const parts = inner === '' ? [] : inner.split(sep)
  const found: { text: string; rules: IgnoreRules; from: number }[] = []
  const add = (path: string, from: number): void => {
    const bytes = readSmallFile(path, MAX_IGNORE_FILE_BYTES)
    if (bytes === null || bytes.length === 0) return
    found.push({ text: bytes.toString('latin1'), rules: parseIgnoreFile(bytes, ignoresCase), from })
  }
  if (excludes !== null) add(excludes, 0)
  if (repository !== null) add(`${repository.common}/info/exclude`, 0)
  for (const [n, part] of parts.entries()) {
    add([repository!.top, ...parts.slice(0, n), IGNORE_FILE].join('/'), n)
    const name = fold(byteText(part))
    const verdicts = found.map(({ rules, from }) =>
      decide(rules, {
        path: fold(byteText(parts.slice(from, n + 1).join('/'))),
        name,
        isDirectory: true,
      }),
    )
    if (verdicts.findLast((verdict) => verdict !== null) === 'ignored') return null
  }
  return found.map(({ text, from }) => ({
    prefix: byteText(
      parts
        .slice(from)
        .map((part) => `${part}/`)
        .join(''),
    ),
    text,
  }))
}

/** The scope above the project's root directory, before its own ignore file. */
export function outerScope(
  outer: readonly OuterRules[],
  sticky: StickyPaths,
  { tracked = NOTHING_TRACKED, without = NONE, seesIgnoredFiles = true }: Partial<Scope> = {},
): Scope {
  const ignoresCase = outer.some((each) => each.ignoresCase === true)
  const read = outer.map(({ prefix, text, isFirst }) => {
    const rules = parseIgnoreFile(Buffer.from(text, 'latin1'), ignoresCase && isFirst !== true)
    return { rules, needsPath: needsPath(rules), prefix, cut: 0, isFirst: isFirst === true }
  })
  return {
    path: '',
    levels: read.filter(({ isFirst }) => !isFirst).toReversed(),
    included: read.filter(({ isFirst }) => isFirst).flatMap(({ rules }) => rules),
    isPartial: false,
    sticky,
    tracked,
    without,
    ignoresCase,
    skipsFinderFiles: process.platform === 'darwin',
    seesIgnoredFiles,
  }
}

function needsPath(rules: IgnoreRules): boolean {
  return rules.some(({ isAboutName }) => !isAboutName)
}

/** The scope of a directory, given its parent's (for the root: the outer scope). */
export function scopeOf(
  parent: Scope,
  path: string,
  ignoreFile: Buffer | null,
  isPartial: boolean,
): Scope {
  const rules =
    ignoreFile === null || isPartial ? [] : parseIgnoreFile(ignoreFile, parent.ignoresCase)
  const cut = path === '' ? 0 : byteText(path).length + 1
  const level = { rules, needsPath: needsPath(rules), prefix: '', cut }
  const levels = rules.length === 0 ? parent.levels : [level, ...parent.levels]
  return { ...parent, path, levels, isPartial }
}

/**
 * Whether an entry is in scope: every file of a directory that is not ignored, and single paths of
 * one that is. `partial` is an ignored directory that is entered for such paths.
 */
export function judge(
  scope: Scope,
  name: string,
  { isDirectory }: { isDirectory: boolean },
): 'in' | 'partial' | 'out' {
  // A cheap exit first: these checks would otherwise dominate a first scan.
  if (isReserved(name)) return 'out'
  const isSkipped = !isDirectory && scope.skipsFinderFiles && FINDER_FILE.test(name)
  if (!isDirectory && !scope.isPartial && scope.seesIgnoredFiles && !isSkipped) return 'in'
  const path = scope.path === '' ? name : `${scope.path}/${name}`
  if (scope.without.has(path)) return 'out'
  if (!scope.isPartial && !isSkipped && !isIgnored(scope, path, name, isDirectory)) return 'in'
  if (isIncluded(scope, path, name, isDirectory)) return 'in'
  const { sticky, tracked } = scope
  if (!isDirectory) return sticky.paths.has(path) || tracked.has(path) ? 'in' : 'out'
  const isEntered =
    sticky.directories.has(path) || leadsToIncluded(scope, path) || tracked.hasBelow(path)
  return isEntered ? 'partial' : 'out'
}

/** Git's files and Retake's own: never in scope, whatever the rules say. */
export function isReserved(name: string): boolean {
  return MAY_BE_RESERVED.test(name) && (spellsGit(name) || isOwnName(name))
}

/** Window positions, and attributes on volumes that cannot store them. */
const FINDER_FILE = /^\.(?:DS_Store$|_)/u

const MAY_BE_RESERVED = /^[.gG]|[^\0-\x7f]/u

function isIncluded(
  { included }: Scope,
  path: string,
  name: string,
  isDirectory: boolean,
): boolean {
  if (included.length === 0) return false
  const entry = { path: byteText(path), name: byteText(name), isDirectory }
  return decide(included, entry) !== null
}

/**
 * Enter an ignored directory only if a pattern spells out its path. Otherwise `.env` would walk
 * through every installed package.
 */
function leadsToIncluded({ included }: Scope, path: string): boolean {
  const below = `${byteText(path)}/`
  return included.some(({ isAboutName, literal }) => !isAboutName && literal.startsWith(below))
}

function isIgnored(scope: Scope, path: string, name: string, isDirectory: boolean): boolean {
  if (scope.levels.length === 0) return false
  const fold = scope.ignoresCase ? foldAscii : (text: string) => text
  const bareName = fold(byteText(name))
  for (const { rules, needsPath, prefix, cut } of scope.levels) {
    const verdict = decide(rules, {
      path: needsPath ? fold(prefix + byteText(path).slice(cut)) : '',
      name: bareName,
      isDirectory,
    })
    if (verdict !== null) return verdict === 'ignored'
  }
  return false
}

/**
 * Refuses a project that must not be recorded: one that contains the user's home, the whole system,
 * or the store itself, which would then record its own snapshots (FT20).
 */
export function refuseScope({
  disk,
  root,
  home,
  store,
}: {
  disk: Disk
  root: { readonly path: string; readonly stat: Stat }
  home: string
  store: string
}): void {
  const inside = (path: string): boolean => {
    for (let at = path; ; at = dirname(at)) {
      if (isSameFile(disk.stat(nameBytes(at === '/' ? '/.' : `${at}/.`)), root.stat)) return true
      if (dirname(at) === at) return false
    }
  }
  if (isSameFile(disk.stat(nameBytes('/.')), root.stat) || inside(home))
    throw new Failure('scope-refused', `${root.path} holds more than a project.`, {
      hint: 'Open the directory of one project. A home directory or the whole disk is never recorded.',
    })
  if (inside(store))
    throw new Failure('scope-refused', `${root.path} contains Retake's own store.`, {
      hint: 'Open a directory below it, or set XDG_DATA_HOME to a place outside of it.',
    })
}
