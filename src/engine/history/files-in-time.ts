import { Failure } from '#failure'
import { linksOfAuthor, linksOfPath, type StoredLink } from '#store'
import {
  countLines,
  findParts,
  numberOf,
  sameValue,
  type Contents,
  type FileAtReport,
  type FileDiff,
  type FileHistoryReport,
  type FileVersion,
  type MomentsReport,
  type ProjectPath,
  type TurnId,
  type Value,
  type WrittenLine,
} from '#timeline'
import {
  diffFile,
  diffOf,
  isHidden,
  isOfFile,
  inspectPresent,
  openProject,
  projectContents,
  textOf,
  valueAt,
  type MomentInTime,
  type Project,
  type Reveal,
} from '../project/index.ts'
import { ingest } from '../witness/index.ts'
import type { Machine } from '../ground/index.ts'
import type { ReadSession } from '../session/index.ts'

/** Files with more lines get no author for each line. */
const MAX_LINES = 5000

/**
 * The moments at which turns of a session's line changed files, and all files that its turns
 * changed, on any branch.
 */
export function readMoments(machine: Machine, session: ReadSession): MomentsReport {
  using project = openForReading(machine, session)
  const { tree, report } = session
  return {
    session: report.id,
    head: tree.head,
    turns: tree.line.map((id) => {
      const { prompt, at } = tree.turns.get(id)!
      const steps = fileLinksOf(project, id).map((link) => ({
        seq: link.seq,
        path: link.path as string,
        at: new Date(link.at).toISOString(),
      }))
      return { id, number: numberOf(tree, id), prompt, at, steps }
    }),
    files: filesOf(project, session),
  }
}

/** One file as it was at a moment, and its diff to now. Writes nothing. */
export function readFileAt(
  machine: Machine,
  session: ReadSession,
  file: number,
  moment: MomentInTime,
  how: Reveal,
): FileAtReport {
  using project = openForReading(machine, session)
  const path = findFile(project, session, file)
  const contents = projectContents(project.store)
  const { value } = valueAt(project, session.tree, path, moment)!
  const now = inspectPresent(project, path, contents)
  const shown = textOf(contents, value)
  const known = { session: session.report.id, path, state: shown.state }
  if (isHidden(path, how))
    return { ...known, hidden: true, text: null, diff: { kind: 'not-text' }, parts: [] }
  const diff = diffOf(contents, value, now)
  // Parts can be chosen only in a diff that can be shown.
  const parts = diff.kind === 'text' ? findParts(contents, value, now) : []
  return { ...known, hidden: false, text: shown.text, diff, parts }
}

/** The files that changed since a turn, with their diffs to now. */
export function readFilesSince(
  machine: Machine,
  session: ReadSession,
  turn: TurnId | null,
  how: Reveal,
): FileDiff[] {
  using project = openForReading(machine, session)
  const contents = projectContents(project.store)
  return filesOf(project, session).flatMap((name) => {
    const path = name as ProjectPath
    const { value } = valueAt(project, session.tree, path, { turn })!
    const now = inspectPresent(project, path, contents)
    return sameValue(value, now)
      ? []
      : [diffFile(contents, { path, before: value, after: now }, how)]
  })
}

/** Every recorded version of a file, and for each present line the version that added it. */
export function readFileHistory(
  machine: Machine,
  session: ReadSession,
  file: number,
  how: Reveal,
): FileHistoryReport {
  using project = openForReading(machine, session)
  const path = findFile(project, session, file)
  const contents = projectContents(project.store)
  const hidden = isHidden(path, how)
  const links = linksOfPath(project.store, path)
  const now = inspectPresent(project, path, contents)
  return {
    session: session.report.id,
    path,
    versions: links.map((link) => describe(contents, session, link)),
    hidden,
    lines: hidden ? null : writtenLines(contents, links, now),
  }
}

export function openForReading(machine: Machine, { report, open }: ReadSession): Project {
  const project = openProject(machine, report.project)
  ingest(machine, project, open)
  return project
}

/** Sorted, because clients name a file by its index in this list. */
function filesOf(project: Project, { tree }: ReadSession): string[] {
  const paths = [...tree.turns.keys()].flatMap((id) =>
    fileLinksOf(project, id).map(({ path }) => path as string),
  )
  return [...new Set(paths)].sort()
}

function fileLinksOf({ store }: Project, id: TurnId): StoredLink[] {
  return linksOfAuthor(store, { kind: 'turn', id }).filter(isOfFile)
}

function findFile(project: Project, session: ReadSession, file: number): ProjectPath {
  const path = filesOf(project, session)[file]
  if (path !== undefined) return path as ProjectPath
  throw new Failure('file-not-found', `The session changed no file ${file}.`, {
    hint: 'Files are counted from 0, in the order in which the session lists them.',
  })
}

function describe(contents: Contents, { tree }: ReadSession, link: StoredLink): FileVersion {
  const { author, before, after } = link
  const turn = author.id === null ? undefined : tree.turns.get(author.id as TurnId)
  return {
    seq: link.seq,
    at: new Date(link.at).toISOString(),
    by: author.kind,
    turn:
      turn === undefined
        ? null
        : { id: turn.id, number: numberOf(tree, turn.id), prompt: turn.prompt },
    operation: author.kind === 'operation' ? Number(author.id) : null,
    change: before.kind === 'absent' ? 'created' : after.kind === 'absent' ? 'deleted' : 'modified',
    ...linesOf(contents, before, after),
  }
}

function linesOf(contents: Contents, from: Value, to: Value): { added: number; removed: number } {
  try {
    const { added, removed } = countLines(contents, from, to)
    return { added, removed }
  } catch (error) {
    if (error instanceof Failure) return { added: 0, removed: 0 }
    throw error
  }
}

/**
 * Which version added each line of the present file: the first one since which the line stayed.
 * Restoring an old text adds nothing, whether by an operation, by git or by hand; only a turn
 * counts as the author of everything it changes. A version that cannot be read counts as the author
 * of all lines.
 */
function writtenLines(
  contents: Contents,
  links: readonly StoredLink[],
  now: Value,
): WrittenLine[] | null {
  const first = links[0]?.before ?? now
  const start = textOf(contents, first).text
  let lines: WrittenLine[] = splitLines(start ?? '').map((text) => ({ text, from: 'before' }))
  let value = first
  const before = new Map<string, WrittenLine[]>()
  const remember = (at: Value): void => {
    if (at.kind === 'file') before.set(at.content, lines)
  }
  remember(first)
  const steps = [
    ...links.map(({ before: found, after, seq, author }) => ({
      found,
      after,
      from: seq,
      mayPutBack: author.kind !== 'turn',
    })),
    { found: null, after: now, from: 'since' as const, mayPutBack: true },
  ]
  for (const { found, after, from, mayPutBack } of steps) {
    // The next change may start from another text, on another branch or after an unrecorded undo.
    // Its turn is the author only of what it changed itself.
    if (found !== null && !sameValue(found, value)) {
      lines =
        (found.kind === 'file' ? before.get(found.content) : undefined) ??
        linesAfter(contents, { lines, value, after: found, from: 'since' })
      value = found
      remember(found)
    }
    const known = mayPutBack && after.kind === 'file' ? before.get(after.content) : undefined
    lines = known ?? linesAfter(contents, { lines, value, after, from })
    value = after
    remember(after)
    if (lines.length > MAX_LINES) return null
  }
  return textOf(contents, now).state === 'file' ? lines : null
}

function linesAfter(
  contents: Contents,
  { lines, value, after, from }: Omit<WrittenLine, 'text'> & Change,
): WrittenLine[] {
  const diff = diffOf(contents, value, after, { context: Number.MAX_SAFE_INTEGER })
  if (diff.kind === 'text' && diff.hunks.length > 0) return follow(lines, diff.hunks[0]!, from)
  if (diff.kind !== 'not-text') return [...lines]
  const { text } = textOf(contents, after)
  return splitLines(text ?? '').map((line) => ({ text: line, from }))
}

interface Change {
  readonly lines: readonly WrittenLine[]
  readonly value: Value
  readonly after: Value
}

/** A hunk of the whole file tells for each old line whether it is still there. */
function follow(
  old: readonly WrittenLine[],
  { lines }: { readonly lines: readonly { change: string; text: string }[] },
  from: WrittenLine['from'],
): WrittenLine[] {
  let at = 0
  return lines.flatMap(({ change, text }): WrittenLine[] => {
    if (change === 'added') return [{ text: text.replace(/\r?\n$/, ''), from }]
    const known = old[at++]
    return change === 'removed' || known === undefined ? [] : [known]
  })
}

function splitLines(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
