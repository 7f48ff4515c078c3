import { Failure, add, remedy, command, type FailureCode, type Remedy } from '#failure'
import {
  numberOf,
  type Ask,
  type FilePlan,
  type GitReport,
  type LeftReport,
  type NotCovered,
  type Plan,
  type Refused,
  type TurnId,
  type TurnName,
  type Warning,
  shortId,
} from '#timeline'
import type { ReadSession, TurnOutline } from '../session/index.ts'
import { projectPaths } from '../project/index.ts'
import { leavesProcessRunning } from '../witness/index.ts'

/** Messages for the planner's codes. */

const NOT_COVERED: Record<NotCovered['why'], string> = {
  'unknown-before': 'its old contents are not known, so it stays as it is',
  unreadable: 'it cannot be read now, so it stays as it is',
  'never-written': 'git’s own files are never written',
}

/** What is at a path that an operation skips: nothing, something else, or the file itself. */
type Stands = 'nothing' | 'something-else' | 'it'

const LEAVES: Record<Stands, string> = {
  nothing: 'so it is not restored',
  'something-else': 'so what is there now stays',
  it: 'so it stays as it is',
}

export function becauseOf({ why, because }: NotCovered, stands: Stands = 'it'): string {
  const reason = stands === 'it' ? because : because?.replace(/^it (?:is|has)\b/u, inPast)
  return reason === undefined
    ? NOT_COVERED[why].replace(LEAVES.it, LEAVES[stands])
    : `${reason}, ${LEAVES[stands]}`
}

function inPast(words: string): string {
  return words === 'it is' ? 'it was' : 'it had'
}

/** Undo leaves git alone: name what the turn did, and the command that would undo it (sem.O5). */
export function wordsForGit(turn: TurnName, { did, files, undo }: GitReport): string {
  const name = turn.number === null ? shortId(turn.id) : String(turn.number)
  const counted = files === 0 ? '' : `, ${files} ${files === 1 ? 'file' : 'files'}`
  if (undo === '') return `turn ${name}: ${did}${counted}; the stash no longer exists`
  return `turn ${name}: ${did}${counted}; this stays; \`${undo}\` would undo it`
}

/** What undo cannot reach: commands of the turn, and its edits outside the project. */
export function unknownEffectsOf(
  turn: TurnName,
  { commands: unknown, befores }: TurnOutline,
  {
    project,
    isCovered,
    comesIn,
    isAgreed,
    directoryToAgree,
  }: {
    project: string
    isCovered: boolean
    /** True if the turn's changes come back, false if they go. */
    comesIn: boolean
    isAgreed: (path: string) => boolean
    directoryToAgree: (path: string) => string | null
  },
): LeftReport[] {
  const name = turn.number === null ? shortId(turn.id) : String(turn.number)
  const commands = (isCovered ? [] : unknown).map((command) => ({
    path: null,
    kind: 'not-covered' as const,
    why: `\`${oneLine(command)}\` ran in turn ${name}; what it did to files is not known`,
  }))
  const behind = (isCovered && !comesIn ? unknown : [])
    .filter(leavesProcessRunning)
    .map((command) => ({
      path: null,
      kind: 'not-covered' as const,
      why: `\`${oneLine(command)}\` in turn ${name} may have kept running in the background; what it wrote after its step stays`,
    }))
  const pathOf = projectPaths(project)
  const outside = befores
    .filter(({ path }) => pathOf(path) === null && !isAgreed(path))
    .map(({ path }) => {
      const agree = directoryToAgree(path)
      const why = 'it is outside the project, so it stays as it is'
      return { path, kind: 'outside' as const, why, ...(agree === null ? {} : { agree }) }
    })
  return [...commands, ...behind, ...outside]
}

/**
 * Warns of files that a turn overwrote as a whole. The agent recorded only their text, and the
 * present file does not tell what their line endings were.
 */
export function lostLineEnds(
  { overwritten }: TurnOutline,
  { project, restored }: { project: string | null; restored: ReadonlySet<string> },
): string[] {
  const pathOf = project === null ? () => null : projectPaths(project)
  const paths = overwritten.flatMap((path) => pathOf(path) ?? [])
  return [...new Set(paths)]
    .filter((path) => restored.has(path))
    .map((path) => `${path}: overwritten; its old line endings were not recorded`)
}

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim()
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

const KEPT = {
  'line-ends': 'line endings',
  'byte-order-mark': 'byte order mark',
  'final-newline': 'final newline',
  mode: 'mode',
} as const

export function wordsForWarning(
  warning: Warning,
  nameOf: (id: TurnId) => TurnName | null,
  /** Names the turn whose changes were merged in; null for the user's. */
  changedBy: (path: string) => string | null = () => null,
): string {
  switch (warning.code) {
    case 'merged': {
      const other = changedBy(warning.path)
      return other === null
        ? `${warning.path}: your changes and the agent’s are merged; check the result`
        : `${warning.path}: merged with the changes of ${other}; check the result`
    }
    case 'marked':
      return markedWarning(warning.path)
    case 'kept-mine':
      return `${warning.path}: your ${KEPT[warning.what]} stays`
    case 'only-whitespace':
      return `${warning.path}: only white space differs`
    case 'reverted-turns-passed': {
      const names = warning.turns.map((id) => nameOf(id)?.number ?? shortId(id))
      return `still reverted: turn ${names.join(', ')}`
    }
  }
}

/** Long lists are cut: the plan names all of them among its files. */
export function someOf(paths: readonly string[]): string {
  const more = paths.length - MAX_NAMED
  return `${paths.slice(0, MAX_NAMED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/**
 * Whether nothing happens before the user said yes: turns on another git branch changed other
 * versions of the files (sem.O5), and `--exact` removes what no turn made (sem.V8). A restore names
 * its files, so it was asked for.
 */
export function needsYes({ verb }: Plan, { code }: Ask): boolean {
  return code === 'other-git-branch' || (code === 'removes-outside-edits' && verb === 'exact')
}

/** Only what the plan or the receipt does not show elsewhere. */
export function wordsForAsk(ask: Ask, { tree }: ReadSession): string[] {
  if (ask.code === 'removes-outside-edits')
    return [
      `removes changes that no turn made: ${someOf(ask.paths)}; undoing the operation restores them`,
    ]
  if (ask.code !== 'other-git-branch') return []
  const names = ask.turns.map((id) => numberOf(tree, id) ?? shortId(id))
  return [`made on another git branch: turn ${names.join(', ')}`]
}

const CONFLICTS: Partial<Record<NonNullable<FilePlan['why']>, string>> = {
  'gone-here': 'deleted since',
  'changed-here': 'changed since',
  'made-twice': 'created again since',
  'kinds-differ': 'something else is there now',
  symlink: 'a symbolic link',
  binary: 'not text',
  'too-close': 'changed too close by',
  'old-path-occupied': 'something else is at its old path',
  'new-path-occupied': 'something else is at its new path',
  'file-is-parent': 'a file is in the way of a directory',
  'case-twin': 'another file has the same name in different case',
  'needs-consent': 'it runs automatically',
}

/** A file in conflict, with the lines that others changed, or the reason. */
export function wordsForConflict({ path, regions, why }: FilePlan): string {
  const lines = regions.map(({ ours: [from, to] }) =>
    to > from ? `lines ${from} to ${to}` : `line ${from}`,
  )
  const reason = why === null ? undefined : CONFLICTS[why]
  const said = lines.length > 0 ? lines.join(', ') : reason
  return said === undefined ? path : `${path} (${said})`
}

const REFUSED: Record<Refused['why'], { code: FailureCode; message: string; hint: Remedy }> = {
  'parts-changed': {
    code: 'plan-stale',
    message: 'The file changed at that place since you looked at it.',
    hint: 'Nothing was changed. Look at the difference again, then choose.',
  },
  'not-invertible': {
    code: 'not-invertible',
    message: 'None of its files can be undone.',
    hint: remedy`${add('only', 'chat')} to move only the conversation.`,
  },
  'unknown-turn': {
    code: 'turn-not-found',
    message: 'That turn is not on the current line.',
    hint: remedy`${command('tree')} to see where it is.`,
  },
  'unknown-operation': {
    code: 'operation-not-found',
    message: 'There is no such operation.',
    hint: remedy`${command('op log')} to list the operations.`,
  },
  'already-undone': {
    code: 'operation-undone',
    message: 'That operation is already undone.',
    hint: 'Undo the operation that undid it.',
  },
  'later-operations': {
    code: 'operation-has-followers',
    message: 'Later operations moved the same files or the conversation.',
    hint: remedy`Undo those first, newest first: ${command('op undo')}.`,
  },
  'cells-moved-since': {
    code: 'operation-overtaken',
    message: 'The agent changed these files since then.',
    hint: 'Use `undo`, `redo` or `restore` instead.',
  },
}

export function refusalOf(
  { why, operations }: Pick<Refused, 'why' | 'operations'>,
  /** The files that stand in the way. */
  left: readonly Pick<LeftReport, 'path' | 'why'>[] = [],
): Failure {
  const { code, message, hint } = REFUSED[why]
  const which = operations.length === 0 ? '' : ` (${operations.join(', ')})`
  const files = left.slice(0, MAX_NAMED).map((each) => `${each.path}: ${each.why}`)
  const more = left.length - files.length
  const named = more > 0 ? [...files, `and ${more} more`] : files
  const words = named.length === 0 ? '' : `: ${named.join('; ')}`
  return new Failure(code, `${message.replace(/\.$/, '')}${which}${words}.`, { hint })
}

/** More names would bury the message. */
const MAX_NAMED = 5

export function markedWarning(path: string): string {
  return `${path}: both versions are between conflict markers; edit the file`
}
