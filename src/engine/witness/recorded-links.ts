import { diskFailure, errnoOf, lstatPath, readValue, type FoundEntry } from '#disk'
import { Failure } from '#failure'
import {
  getContent,
  hasContent,
  linksOfAuthor,
  linksOfPath,
  putContent,
  type NewLink,
  type Sighting,
  type Store,
} from '#store'
import {
  absent,
  encodeLike,
  isSameText,
  type ProjectPath,
  type Recorded,
  type RecordedEdit,
  type TurnId,
  type Value,
} from '#timeline'
import { outsideReal, outsidePath, type Project } from '../project/index.ts'
import { decodeText } from './decode-text.ts'
import type { LinkThen } from './link-history.ts'
import { projectPathsThen } from './project-path-then.ts'
import type { Guess, CombinedLink } from './combined-link.ts'
import { resolveEdits } from './resolve-edits.ts'

export interface TurnEdit {
  readonly turn: TurnId
  /** When the turn's prompt was sent. */
  readonly since: string | null
  readonly edit: RecordedEdit
}

/** What scans saw before now. */
export interface SeenBefore {
  readonly linkThen: LinkThen
  readonly spellingThen: (path: ProjectPath, at: number) => ProjectPath
  readonly seenAt: (path: ProjectPath) => readonly Sighting[]
}

/**
 * The agent's recorded edits as links of the ledger, in the order they were made. Texts get the
 * encoding and line endings of the file: the present one, or if there is no text now, what a scan
 * or a link knows. What the agent did not record is derived from
 * known contents where possible, and is unknown otherwise.
 */
export function recordedLinks(
  project: Project,
  edits: readonly TurnEdit[],
  { linkThen, spellingThen, seenAt }: SeenBefore,
): CombinedLink[] {
  const links: { order: number; link: CombinedLink }[] = []
  const order = new Map(edits.map(({ edit }, i) => [edit, i]))
  const pathOf = projectPathsThen(project, linkThen)
  const outsideOf = outsidePathsThen(project, linkThen)
  const inside = edits.flatMap((each) => {
    const at = timeOf(each.edit)
    const path = pathOf(each.edit.path, at) ?? outsideOf(each.edit.path, at)
    return path === null ? [] : [{ ...each, path: spellingThen(path, at) }]
  })
  const moved = new Map<string, Recorded>()
  for (const [path, list] of targetsFirst(Map.groupBy(inside, (each) => each.path))) {
    const present = readPresentFile(project, path)
    const seen = seenAt(path)
    const model = modelOf(project, path, { present, seen })
    const resolved = resolveEdits(
      list.map(({ edit }) => ({ ...edit, before: moved.get(evidenceOf(edit)) ?? edit.before })),
      { before: latestText(project, path), after: decodeText(present?.bytes ?? null) },
      [...seenInLedger(project, path), ...seen].map(({ since, at, before, after }) => ({
        since,
        at,
        before: textOf(project, before),
        after: textOf(project, after),
      })),
    )
    for (const [i, whole] of resolved.entries()) {
      const { turn, since, edit: original } = list[i]!
      const { movedFrom } = whole
      if (movedFrom !== undefined)
        moved.set(evidenceOf({ ...whole, path: movedFrom }), whole.before)
      // What the edit began with was at the other path.
      const own = movedFrom === undefined ? whole : { ...whole, before: NOTHING, mayReplace: true }
      const isReplaced = own.mayReplace === true && !isBornIn(project, path, since, own.at)
      const edit = isReplaced ? { ...own, before: REPLACED } : own
      const values = valuesOf(project, edit, { present, model })
      const madeDirectories =
        values.before.kind === 'absent' ? directoriesMade(project, path, since, edit.at) : []
      const guess = { before: guessOf(edit.before), after: guessOf(edit.after) }
      const link = { ...linkOf(path, turn, edit, values), madeDirectories, guess }
      links.push({ order: order.get(original)!, link })
    }
  }
  return links.sort((a, b) => a.order - b.order).map(({ link }) => link)
}

const NOTHING: Recorded = { kind: 'absent' }
const REPLACED: Recorded = { kind: 'unknown', why: 'it may have replaced a file' }

/** A renamed file's old text follows from its new one, so paths that were renamed to come first. */
function targetsFirst<T extends { readonly edit: RecordedEdit }>(
  groups: Map<ProjectPath, T[]>,
): [ProjectPath, T[]][] {
  const isTarget = (list: readonly T[]): boolean =>
    list.some(({ edit }) => edit.movedFrom !== undefined)
  return [...groups].sort(([, a], [, b]) => Number(isTarget(b)) - Number(isTarget(a)))
}

/** The same for directories outside the project, whose links can change too. */
function outsidePathsThen(
  project: Project,
  linkThen: LinkThen,
): (path: string, at: number) => ProjectPath | null {
  const annexes = project.root.annexes.map(({ path: top }) => ({
    top,
    pathOf: projectPathsThen({ path: top, store: project.store }, (link, at) =>
      linkThen(`${top}/${link}` as ProjectPath, at),
    ),
  }))
  return (path, at) => {
    for (const { top, pathOf } of annexes) {
      const found = pathOf(path, at)
      if (found !== null) return outsideReal(project, `${top}/${found}` as ProjectPath)
    }
    return outsidePath(project, path)
  }
}

function guessOf({ kind }: Recorded): Guess {
  return kind === 'text' ? 'bytes-and-mode' : 'mode'
}

/** Identifies a recorded edit, so that none is ingested twice. */
export function evidenceOf({ step, path }: RecordedEdit): string {
  return `recorded ${step} ${path}`
}

/** The paths of a turn's edits in the project, as their symlinks led when they were made. */
export function editPaths(store: Store, turn: TurnId): ReadonlyMap<string, ProjectPath> {
  const links = linksOfAuthor(store, { kind: 'turn', id: turn }).filter(
    ({ evidence, path, before, after }) =>
      evidence.startsWith('recorded ') &&
      !path.startsWith('/') &&
      // A directory that the edit made has the same evidence.
      (before.kind !== 'absent' || after.kind !== 'absent'),
  )
  return new Map(links.map(({ evidence, path }) => [evidence, path]))
}

function linkOf(
  path: ProjectPath,
  turn: TurnId,
  edit: RecordedEdit,
  { before, after }: { before: Value; after: Value },
): NewLink {
  const at = timeOf(edit)
  return {
    path,
    from: null,
    before,
    after,
    author: { kind: 'turn', id: turn },
    evidence: evidenceOf(edit),
    gitHead: null,
    at: Number.isFinite(at) ? at : 0,
  }
}

function timeOf({ at }: RecordedEdit): number {
  const time = Date.parse(at ?? '')
  return Number.isNaN(time) ? Number.POSITIVE_INFINITY : time
}

/** Tolerance: the agent's timestamps and the file system's are not taken at the same moment. */
const SLACK = 2000

/**
 * The directories above a new file that were created during the turn. Agents do not record them,
 * and only a directory that the turn made may be removed once empty (sem.M6). An added or agreed
 * directory itself stays: its parent is not open, so an operation would stop halfway.
 */
function directoriesMade(
  { path: root, root: { annexes } }: Project,
  path: ProjectPath,
  since: string | null,
  until: string | null,
): ProjectPath[] {
  const [from, to] = [Date.parse(since ?? ''), Date.parse(until ?? '') + SLACK]
  const parts = path.split('/').slice(0, -1)
  return parts
    .map((_, depth) => parts.slice(0, depth + 1).join('/') as ProjectPath)
    .filter(
      (directory) =>
        !directory.startsWith('/') ||
        annexes.some((annex) => directory.startsWith(`${annex.path}/`)),
    )
    .filter((directory) => {
      const stat = lstatPath(directory.startsWith('/') ? directory : `${root}/${directory}`)
      const born = stat?.isDirectory() ? Number(stat.birthtimeMs) : Number.NaN
      return born >= from && born <= to
    })
}

/** The file system's clock may lag behind the agent's by so many ms. */
const TICK = 20

/**
 * Whether the present file can be the one that an edit made: born during the turn, up to the edit.
 * If there is no file, or no time of birth, nothing speaks against it.
 */
function isBornIn(
  { path: root }: Project,
  path: ProjectPath,
  since: string | null,
  at: string | null,
): boolean {
  const stat = lstatPath(path.startsWith('/') ? path : `${root}/${path}`)
  const born = Number(stat?.birthtimeMs ?? 0)
  if (born === 0) return true
  const [from, to] = [Date.parse(since ?? ''), Date.parse(at ?? '')]
  return !(born < from - TICK) && !(born > to + TICK)
}

type PresentFile = Extract<FoundEntry, { kind: 'file' }>

/** The present file; null if there is none, or it cannot be read. */
function readPresentFile({ root }: Project, path: ProjectPath): PresentFile | null {
  try {
    const found = readValue(root, path)
    return found.kind === 'file' ? found : null
  } catch (error) {
    // Throw on any other error: a link is permanent, and a temporary error must not decide about
    // its line endings.
    if (error instanceof Failure || errnoOf(error) === 'EACCES') return null
    throw diskFailure(error, path)
  }
}

/** The bytes whose encoding and line endings the recorded texts get; null without any. */
function modelOf(
  { store }: Project,
  path: ProjectPath,
  { present, seen }: { present: PresentFile | null; seen: readonly Sighting[] },
): Uint8Array | null {
  if (present !== null && isText(present.bytes)) return present.bytes
  const known = [
    ...seen.flatMap(({ before, after }) => [before, after]),
    ...linksOfPath(store, path).map(({ after }) => after),
  ]
  for (const value of known.toReversed()) {
    if (value.kind !== 'file' || !hasContent(store, value.content)) continue
    const bytes = getContent(store, value.content)
    if (isText(bytes)) return bytes
  }
  return present?.bytes ?? null
}

function isText(bytes: Uint8Array): boolean {
  return isSameText(bytes, bytes)
}

/**
 * What scans saw and is in the ledger already. If someone lists or plans before the agent records
 * an edit, its sighting is no longer there.
 */
function seenInLedger(
  { store }: Project,
  path: ProjectPath,
): Pick<Sighting, 'since' | 'at' | 'before' | 'after'>[] {
  const links = linksOfPath(store, path)
  return links.flatMap(({ evidence, author: { kind }, from, at, before, after }, i) =>
    evidence.startsWith('recorded ') || kind === 'operation' || kind === 'git' || from !== null
      ? []
      : [{ since: links[i - 1]?.at ?? Number.NEGATIVE_INFINITY, at, before, after }],
  )
}

/** The text that the newest link of a turn left at the path. */
function latestText(project: Project, path: ProjectPath): string | null {
  const links = linksOfPath(project.store, path)
  const after = links.findLast(({ author }) => author.kind === 'turn')?.after
  return after === undefined ? null : textOf(project, after)
}

function textOf({ store }: Project, value: Value): string | null {
  if (value.kind !== 'file' || !hasContent(store, value.content)) return null
  return decodeText(getContent(store, value.content))
}

/** Agents do not record modes. Without a scan, both sides get the present mode, else this one. */
const USUAL_MODE = 0o644

function valuesOf(
  { store }: Project,
  edit: RecordedEdit,
  { present, model }: { present: PresentFile | null; model: Uint8Array | null },
): { before: Value; after: Value } {
  const mode = present?.mode ?? USUAL_MODE
  // A file that the edit created has nothing to do with a binary one that is there now.
  const isNew = edit.before.kind === 'absent' && model !== null && !isText(model)
  const encoded = encodeLike(isNew ? null : model, {
    before: edit.before.kind === 'text' ? edit.before.text : null,
    after: edit.after.kind === 'text' ? edit.after.text : null,
  })
  const valueOf = (recorded: Recorded, side: 'before' | 'after'): Value => {
    if (recorded.kind === 'absent') return absent
    if (recorded.kind === 'unknown') return recorded
    if (recorded.kind === 'bytes')
      return { kind: 'file', content: putContent(store, recorded.bytes), mode }
    if (encoded.kind === 'not-representable')
      return { kind: 'unknown', why: 'the text does not fit the encoding of the file' }
    return { kind: 'file', content: putContent(store, encoded[side]!), mode }
  }
  return { before: valueOf(edit.before, 'before'), after: valueOf(edit.after, 'after') }
}
