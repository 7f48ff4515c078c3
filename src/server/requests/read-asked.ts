import {
  findTurnOfMessage,
  plainly,
  refuseAtStart,
  switchTo,
  type Asked,
  type AskedHow,
  type ReadSession,
} from '#engine'
import type { How, PlanBody, RewindBody, TurnInput } from '#protocol'
import type { ProjectPath, TurnId } from '#timeline'
import type { Served } from './served.ts'

/** A body that was checked, as what the engine is asked; turns are found, names are looked up. */
export function readAsked(
  served: Served,
  session: ReadSession,
  body: PlanBody,
): { asked: Asked; how: AskedHow } {
  const find = (turn: TurnInput): TurnId => findLogged(served, session, turn)
  const how = readHow(session, body)
  switch (body.verb) {
    case 'back':
      refuseAtStart(session)
      return { asked: { verb: 'undo', count: 1 }, how: { ...how, only: 'chat' } }
    case 'undo':
      return { asked: { verb: 'undo', count: body.count ?? 1 }, how }
    case 'redo':
      return { asked: { verb: 'redo', count: body.all === true ? 'all' : (body.count ?? 1) }, how }
    case 'rewind':
      return { asked: readRewind(session, body, find), how }
    case 'revert':
      return { asked: { verb: 'revert', turn: find(body.turn), off: body.off === true }, how }
    case 'switch': {
      const turn = body.turn === undefined ? undefined : String(body.turn)
      return { asked: switchTo(session, body.branch, turn), how }
    }
    case 'branch':
      return {
        asked: { verb: 'branch', turn: find(body.turn), title: titleOf(body.title) },
        how,
      }
    case 'op-undo':
      return { asked: { verb: 'op-undo', operation: body.operation }, how }
    case 'revert-files':
      return {
        asked: {
          verb: 'revert-files',
          // Looked up among what turns changed; one that no turn changed has nothing to move.
          paths: body.files as ProjectPath[],
          ...(body.parts === undefined ? {} : { parts: body.parts }),
        },
        how,
      }
    case 'restore':
      return {
        asked: {
          verb: 'restore',
          // Looked up among what turns changed; one that no turn changed is refused.
          paths: body.files as ProjectPath[],
          at: isStart(body.at) ? null : find(body.at),
          ...(body.parts === undefined ? {} : { parts: body.parts }),
        },
        how,
      }
  }
}

function readRewind(
  { tree }: ReadSession,
  { turn, before, exact }: RewindBody,
  find: (turn: TurnInput) => TurnId,
): Asked {
  if (before === true && exact !== true) return { verb: 'rewind', before: find(turn) }
  const found = isStart(turn) ? null : find(turn)
  const to = before === true && found !== null ? tree.turns.get(found)!.parent : found
  return exact === true ? { verb: 'exact', to } : { verb: 'rewind', to }
}

function titleOf(text: string | undefined): string | null {
  return text === undefined ? null : text.trim().replaceAll(/\s+/g, ' ')
}

function isStart(turn: TurnInput): boolean {
  return String(turn) === '0'
}

/** The log names what was asked for and what it was taken for: they differ for tool results. */
export function findLogged({ log }: Served, session: ReadSession, turn: TurnInput): TurnId {
  const found = findTurnOfMessage(session, String(turn))
  log.write({ session: session.report.id, askedFor: String(turn), resolvedTo: found })
  return found
}

export function readHow(
  session: ReadSession,
  how: How & { whole?: boolean | undefined; keepPrompt?: boolean | undefined },
): AskedHow {
  return {
    ...plainly,
    only: how.only ?? null,
    onConflict: how.onConflict ?? 'stop',
    includeUnsure: how.includeUnsure === true,
    confirmed: how.confirmed === true,
    whole: how.whole === true,
    keepPrompt: how.keepPrompt === true,
    expectHead: how.expectHead === undefined ? null : headOf(session, how.expectHead),
  }
}

/** A head that the session does not know is one it does not stand at. */
function headOf(session: ReadSession, name: string): TurnId {
  try {
    return findTurnOfMessage(session, name)
  } catch {
    return name as TurnId
  }
}
