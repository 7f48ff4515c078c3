import { lstatPath, readSmallFile } from '#disk'
import { leftAloneKind, modeText, readLeftOut, type LeftAloneKind } from '#snapshots'
import { getSessionFact, putSessionFact, sessionFacts, snapshotOf, type Store } from '#store'
import { absent, type LeftReport, type ProjectPath, type TurnId, type Value } from '#timeline'
import { agreedTo, type Project } from '../project/index.ts'
import { unwatchedTop } from '../ground/index.ts'
import type { CombinedLink } from './combined-link.ts'

/** A change of a turn that operations leave alone, so plans and the log list it. */
export interface LeftAlone {
  readonly path: string
  readonly kind: LeftAloneKind
  readonly change: 'made' | 'changed' | 'gone'
  /** A directory's modes before and after. */
  readonly modes?: readonly [string, string]
}

// Stands in for a session id: several sessions can contain the same turn.
const PROJECT = '*'
const PREFIX = 'left-alone/'
const nameOf = (turn: TurnId): string => `${PREFIX}${turn}`

export function leftAloneIn(store: Store, turn: TurnId): readonly LeftAlone[] {
  return (getSessionFact(store, PROJECT, nameOf(turn)) ?? []) as LeftAlone[]
}

/** One query instead of one per turn: a plan can have ten thousand turns. */
function allLeftAlone(store: Store): (turn: PassedTurn) => readonly LeftAlone[] {
  const all = new Map(sessionFacts(store, PROJECT, PREFIX).map(({ name, fact }) => [name, fact]))
  return ({ id }) => (all.get(nameOf(id)) ?? []) as LeftAlone[]
}

export function isLeftAlone({ before, after }: { before: Value; after: Value }): boolean {
  return (leftAloneKind(before) ?? leftAloneKind(after)) !== null
}

/**
 * If such an entry and a file replace each other, the file's change is one of its own. Otherwise
 * undo could not bring the file back.
 */
export function splitReplaced(link: CombinedLink): readonly CombinedLink[] {
  const isFile = ({ kind }: Value): boolean => kind === 'file' || kind === 'symlink'
  if (!isLeftAlone(link) || !(isFile(link.before) || isFile(link.after))) return [link]
  return [
    { ...link, after: absent },
    { ...link, before: absent },
  ]
}

/** Records such a change if a turn made it. Changes by others are never reported. */
export function noteLeftAlone(
  store: Store,
  { path, before, after, author }: Pick<CombinedLink, 'path' | 'before' | 'after' | 'author'>,
): void {
  if (author.kind !== 'turn' && author.kind !== 'shared' && author.kind !== 'unsure') return
  const turn = author.id as TurnId
  const kind = (leftAloneKind(before) ?? leftAloneKind(after))!
  const known = leftAloneIn(store, turn)
  const earlier = known.find((each) => each.path === path && each.kind === kind)
  const next = fold(earlier, path, kind, before, after)
  const others = known.filter((each) => each !== earlier)
  putSessionFact(store, PROJECT, nameOf(turn), next === null ? others : [...others, next])
}

/** Null if the turn reversed its own change. */
function fold(
  earlier: LeftAlone | undefined,
  path: string,
  kind: LeftAloneKind,
  before: Value,
  after: Value,
): LeftAlone | null {
  if (kind === 'directory-mode') {
    const modes = [earlier?.modes?.[0] ?? modeText(before), modeText(after)] as const
    return modes[0] === modes[1] ? null : { path, kind, change: 'changed', modes }
  }
  const wasThere = earlier === undefined ? before.kind !== 'absent' : earlier.change !== 'made'
  const isThere = after.kind !== 'absent'
  if (!wasThere) return isThere ? { path, kind, change: 'made' } : null
  return { path, kind, change: isThere ? 'changed' : 'gone' }
}

interface PassedTurn {
  readonly id: TurnId
  readonly ranCommands: boolean
  /** Whether the plan restores the turn's changes; otherwise it removes them. */
  readonly comesIn?: boolean
}

/** The turns' combined effect: a repository that one made and another deleted cancels out. */
function joined(changes: readonly LeftAlone[]): LeftAlone[] {
  const found = new Map<string, LeftAlone>()
  for (const later of changes) {
    const key = `${later.kind} ${later.path}`
    const earlier = found.get(key)
    const both = earlier === undefined ? later : join(earlier, later)
    if (both === null) found.delete(key)
    else found.set(key, both)
  }
  return [...found.values()]
}

function join(earlier: LeftAlone, later: LeftAlone): LeftAlone | null {
  if (later.kind === 'directory-mode') {
    const modes = [earlier.modes![0], later.modes![1]] as const
    return modes[0] === modes[1] ? null : { ...later, modes }
  }
  const isThere = later.change !== 'gone'
  if (earlier.change === 'made') return isThere ? { ...later, change: 'made' } : null
  return { ...later, change: isThere ? 'changed' : 'gone' }
}

/** What a plan for these turns leaves as it is. The turns are ordered oldest first. */
export function leftAloneBy(
  project: Pick<Project, 'store' | 'path'>,
  turns: readonly PassedTurn[],
  /** Directories that the operation removes, so they need no report. */
  emptied: readonly string[],
): LeftReport[] {
  const { store, path: root } = project
  const changesOf = allLeftAlone(store)
  const gone = turns.filter(({ comesIn }) => comesIn !== true).flatMap(changesOf)
  const back = turns.filter(({ comesIn }) => comesIn === true).flatMap(changesOf)
  const made = new Set(gone.flatMap(({ path, change }) => (change === 'made' ? [path] : [])))
  // Made by one of these turns and gone by now: there is nothing to report.
  const isNothing = (path: string): boolean =>
    made.has(path) && lstatPath(wholePath(root, path)) === null
  const reports = joined(gone)
    .filter(({ kind, path }) => kind !== 'directory-mode' || !emptied.includes(path))
    .filter(({ path }) => !isNothing(path))
    .map((each): LeftReport => ({
      path: shownPath(each),
      kind: each.kind,
      why: pointerWords(root, each) ?? wordsFor(each),
    }))
    .concat(notBroughtBack(root, back, emptied))
    .sort((a, b) => (a.path! < b.path! ? -1 : 1))
  if (!turns.some(({ ranCommands }) => ranCommands)) return reports
  return [
    ...reports,
    ...notLookedAt(project, new Set(reports.map(({ path }) => path))),
    ...leftAbove(root),
  ]
}

/** Changes of restored turns that the operation cannot restore. */
function notBroughtBack(
  root: string,
  changes: readonly LeftAlone[],
  emptied: readonly string[],
): LeftReport[] {
  return joined(changes).flatMap((each) => {
    const isRemoved = emptied.includes(each.path)
    const why = isRemoved ? null : whyNotBack(each, lstatPath(wholePath(root, each.path)))
    return why === null ? [] : [{ path: shownPath(each), kind: each.kind, why }]
  })
}

function whyNotBack(
  { kind, change, modes }: LeftAlone,
  stands: ReturnType<typeof lstatPath>,
): string | null {
  const what = kind === 'ignored' ? 'an ignored directory' : 'a git repository'
  if (kind === 'directory-mode') return stands === null ? null : otherMode(modes![1], stands)
  const made = kind === 'ignored' ? 'made' : 'made here'
  if (change === 'made') return stands === null ? `${what} that was ${made} is not restored` : null
  if (change === 'gone')
    return stands === null ? null : `${what} that was deleted is here again and stays`
  return kind === 'ignored' ? wordsFor({ path: '', kind, change }) : null
}

function otherMode(mode: string, { mode: now }: { mode: number | bigint }): string | null {
  const stands = (Number(now) & 0o7777).toString(8)
  return stands === mode ? null : `its mode was ${mode} and stays ${stands}`
}

/** Directories that a plan would make but that already exist, with another turn's mode. */
export function leftModes(
  root: string,
  wanted: readonly { readonly path: ProjectPath; readonly mode: number }[],
): LeftReport[] {
  return wanted.flatMap(({ path, mode }) => {
    const stands = lstatPath(wholePath(root, path))
    const why = stands?.isDirectory() === true ? otherMode(mode.toString(8), stands) : null
    return why === null ? [] : [{ path: `${path}/`, kind: 'directory-mode' as const, why }]
  })
}

/** `readLeftOut` for a directory outside the project, with absolute paths. */
export function leftOutIn(store: Store, root: string): ReturnType<typeof readLeftOut> {
  return readLeftOut(store, snapshotOf(root)).map(({ path, why }) => ({
    path: `${root}/${path}` as ProjectPath,
    why,
  }))
}

function wholePath(root: string, path: string): string {
  return path.startsWith('/') ? path : `${root}/${path}`
}

/** Directories get a trailing slash, so that they are not taken for files. */
export function shownPath({ path, kind }: Pick<LeftAlone, 'path' | 'kind'>): string {
  return kind === 'nested-repository' ? path : `${path}/`
}

/** In worktrees and submodules, `.git` is a file that names their part of the repository. */
function pointerWords(root: string, { kind, path, change }: LeftAlone): string | null {
  const whole = wholePath(root, path)
  if (kind !== 'nested-repository' || change !== 'made') return null
  if (lstatPath(whole)?.isFile() !== true) return null
  const directory = path.slice(0, -'/.git'.length)
  const pointer = readSmallFile(whole, MAX_POINTER)?.toString() ?? ''
  return pointer.includes('.git/modules/') && !pointer.includes('/worktrees/')
    ? 'a git submodule that was added here stays, with its directory and its entry in git’s index'
    : `a git worktree that was created here stays; \`git worktree remove --force ${directory}\` removes it`
}

const MAX_POINTER = 64 * 1024

function wordsFor({ kind, change, modes }: LeftAlone): string {
  if (kind === 'directory-mode')
    return `its mode changed from ${modes![0]} to ${modes![1]} and stays that way`
  if (kind === 'nested-repository')
    return change === 'made'
      ? 'a git repository that was created here stays, with its directory'
      : 'a git repository that was deleted is not restored'
  if (change === 'made') return 'an ignored directory that was created stays'
  if (change === 'gone')
    return 'an ignored directory was deleted; files in it that were never recorded are not restored'
  return 'an ignored directory changed; files in it that were never recorded stay as they are'
}

/** Reports a repository that is not recorded from its top. */
function leftAbove(root: string): LeftReport[] {
  const top = unwatchedTop(root)
  if (top === null) return []
  const why = `commands ran, and files of ${top} outside ${root} are not recorded`
  return [{ path: null, kind: 'outside', why }]
}

const MAX_NAMED = 5

/** Directories that are not scanned and where commands may have written. */
function notLookedAt(
  project: Pick<Project, 'store' | 'path'>,
  named: ReadonlySet<string | null>,
): LeftReport[] {
  const leftOut = [
    ...readLeftOut(project.store),
    ...agreedTo(project).flatMap((root) => leftOutIn(project.store, root)),
  ]
  const mounts = leftOut
    .filter(({ why }) => why === 'other-file-system')
    .map(({ path }): LeftReport => ({
      path: `${path}/`,
      kind: 'other-file-system',
      why: 'it is on another file system and is not recorded',
    }))
  const ignored = leftOut
    .filter(({ path, why }) => why === 'ignored' && !named.has(`${path}/`))
    .map(({ path }) => `${path}/`)
  if (ignored.length === 0) return mounts
  const more = ignored.length - MAX_NAMED
  const names = ignored.slice(0, MAX_NAMED).join(', ')
  const why = `commands ran, and ignored directories are not recorded: ${names}`
  return [
    ...mounts,
    { path: null, kind: 'ignored', why: more > 0 ? `${why} and ${more} more` : why },
  ]
}
