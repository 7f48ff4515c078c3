import { statPath } from '#disk'
import type { LiveProcess } from '../../agent.ts'
import { findLockHolders } from './locks.ts'
import { findRolloutWriters } from './open-rollouts.ts'
import { readProcess } from './processes.ts'
import { readTurnState, type TurnState } from './turn-state.ts'

/** What is known of a session by its rollout. */
export interface OpenedRollout {
  readonly path: string
  readonly cwd: string | null
  readonly version: string | null
  /** Whether it has the format of Codex 0.148.0 and newer, which lock the session. */
  readonly isLocked: boolean
}

/**
 * The sessions that Codex processes have open; null if this system does not tell. `find` names the
 * current rollout of a session, and returns null before its first prompt.
 */
export function findLiveProcesses(
  config: string,
  find: (session: string) => OpenedRollout | null,
): LiveProcess[] | null {
  const holders = findLockHolders(config)
  if (holders === null) return null
  const isHeld = new Set(holders.map(({ session }) => session))
  const writers = findRolloutWriters(config).filter(
    ({ session }) => !isHeld.has(session) && find(session)?.isLocked === false,
  )
  return [...holders, ...writers].map(({ session, pid }) => {
    const rollout = find(session)
    const { status, since } = rollout === null ? NEW : stateOf(rollout.path)
    return {
      pid,
      session,
      status,
      runsShell: false,
      ...readProcess(pid),
      cwd: rollout?.cwd ?? null,
      version: rollout?.version ?? null,
      statusSince: since,
    }
  })
}

const NEW: TurnState = { status: 'idle', since: null }

/** Callers ask several times a second, and a rollout may be large. */
const known = new Map<string, { readonly stamp: string; readonly state: TurnState }>()

function stateOf(path: string): TurnState {
  const stat = statPath(path)
  const stamp = `${stat?.ino} ${stat?.size} ${stat?.mtimeNs}`
  const found = known.get(path)
  if (found?.stamp === stamp) return found.state
  const state = readTurnState(path)
  known.set(path, { stamp, state })
  return state
}
