import { Failure } from '#failure'
import type { BodyOf, Command, CommandOf, TurnInput } from '#protocol'
import { isStart, type ProjectPath, type TurnId } from '#timeline'
import {
  findBranch,
  findTurnOfMessage,
  DEFAULT_OPTIONS,
  switchTo,
  type ResolvedCommand,
  type CommandOptions,
  type ReadSession,
} from '../session/index.ts'
import { refuseAtStart } from './refuse-at-start.ts'

export interface Resolved {
  readonly asked: ResolvedCommand
  readonly how: CommandOptions
}

/** Called for each turn that was named, with the turn found for it. */
export type OnTurn = (named: string, turn: TurnId) => void

/**
 * Looks up the turns and branches that a command names, in the session as it is now. Only this
 * module knows the defaults of each verb.
 */
export function resolve(session: ReadSession, command: Command, onTurn?: OnTurn): Resolved {
  return { asked: askedBy(session, command, onTurn), how: howOf(session, command) }
}

function askedBy(session: ReadSession, command: Command, onTurn?: OnTurn): ResolvedCommand {
  const { tree } = session
  const find = (turn: TurnInput): TurnId => {
    const found = findTurnOfMessage(session, String(turn))
    onTurn?.(String(turn), found)
    return found
  }
  const findOrStart = (turn: TurnInput): TurnId | null => (isStart(turn) ? null : find(turn))
  switch (command.verb) {
    case 'back':
      refuseAtStart(session)
      return { verb: 'undo', count: 1 }
    case 'undo':
      return { verb: 'undo', count: command.count ?? 1 }
    case 'redo':
      return { verb: 'redo', count: command.all === true ? 'all' : (command.count ?? 1) }
    case 'rewind':
      return rewindBy(session, command, { find, findOrStart })
    case 'revert':
      return { verb: 'revert', turn: find(command.turn), off: command.off === true }
    case 'switch':
      return switchTo(session, command.branch, command.turn?.toString())
    case 'branch':
      return { verb: 'branch', turn: find(command.turn), title: titleOf(command.title) }
    case 'revert-files':
      // A file that no turn changed needs no check: nothing moves.
      return { verb: 'revert-files', paths: pathsOf(command), ...partsOf(command) }
    case 'restore':
      // `restoreTarget` refuses a file that no turn changed.
      return {
        verb: 'restore',
        paths: pathsOf(command),
        at: findOrStart(command.at),
        ...partsOf(command),
      }
    case 'op-undo':
      return { verb: 'op-undo', operation: command.operation ?? null }
    case 'checkpoint': {
      const { name = null, turn } = command
      return { verb: 'checkpoint', name, turn: turn === undefined ? null : find(turn) }
    }
    case 'branch-rename':
      return { ...command, branch: findBranch(tree, command.branch).id }
    case 'branch-delete':
    case 'branch-archive':
    case 'branch-unarchive':
      return {
        verb: command.verb,
        branches: command.branches.map((name) => findBranch(tree, name).id),
      }
    case 'branch-canonical':
      return { verb: 'branch-canonical', branch: findBranch(tree, command.branch).id }
    case 'session-rename':
      return { verb: 'session-rename', name: command.name }
    case 'session-delete':
    case 'session-archive':
    case 'session-unarchive':
      return {
        verb: command.verb,
        also: command.sessions.filter((id) => id !== session.report.id),
      }
    case 'checkpoint-delete':
    case 'session-title':
      return command
  }
}

function rewindBy(
  { tree }: ReadSession,
  { turn, before, exact }: CommandOf<'rewind'>,
  {
    find,
    findOrStart,
  }: { find: (turn: TurnInput) => TurnId; findOrStart: (turn: TurnInput) => TurnId | null },
): ResolvedCommand {
  if (before === true && exact !== true) return { verb: 'rewind', before: find(turn) }
  const found = findOrStart(turn)
  const to = before === true && found !== null ? tree.turns.get(found)!.parent : found
  return exact === true ? { verb: 'exact', to } : { verb: 'rewind', to }
}

function howOf(session: ReadSession, command: Command): CommandOptions {
  const { only, onConflict, includeUnsure, confirmed, whole, keepPrompt, expectHead } =
    command as Partial<BodyOf<'undo'> & BodyOf<'rewind'>>
  if (command.verb === 'back' && only === 'files')
    throw new Failure('usage', 'Going back leaves the files, so it cannot move only them.')
  return {
    ...DEFAULT_OPTIONS,
    only: command.verb === 'back' ? 'chat' : (only ?? null),
    onConflict: onConflict ?? 'stop',
    includeUnsure: includeUnsure === true,
    confirmed: confirmed === true,
    whole: whole === true,
    keepPrompt: keepPrompt === true,
    expectHead: expectHead === undefined ? null : headOf(session, String(expectHead)),
  }
}

/** Keeps an unknown head as it is: it never equals the real one, so the head check refuses it. */
function headOf(session: ReadSession, name: string): TurnId {
  try {
    return findTurnOfMessage(session, name)
  } catch {
    return name as TurnId
  }
}

function titleOf(text: string | undefined): string | null {
  return text === undefined ? null : text.trim().replaceAll(/\s+/g, ' ')
}

/** Safe without a check: paths are looked up among those of turns, never opened as given. */
function pathsOf({ files }: { files: string[] }): ProjectPath[] {
  return files as ProjectPath[]
}

function partsOf({ parts }: { parts?: string[] | undefined }): { parts?: string[] } {
  return parts === undefined ? {} : { parts }
}
