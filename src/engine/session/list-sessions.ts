import type { SessionSummary } from '#agents'
import { isSamePath, statPath } from '#disk'
import type { SessionReport, TurnId } from '#timeline'
import {
  findLiveProcesses,
  formerPaths,
  listSessionFiles,
  type Machine,
  movesOf,
} from '../ground/index.ts'
import type { Project } from '../project/index.ts'
import { isInEffect, readSessionMarks, titleOf } from './session-labels.ts'

/** Newest first, without deleted ones. Without a project: all sessions of the machine. */
export function listSessions(machine: Machine, project: string | null): SessionReport[] {
  return listAllSessions(machine, project).filter(({ deleted }) => !deleted)
}

export function listAllSessions(machine: Machine, project: string | null): SessionReport[] {
  const directories = project === null ? undefined : relatedTo(machine, project)
  const moves = movesOf(machine.disk, machine.places.data)
  const named = directories?.flatMap((path) => [path, ...formerPaths(moves, path)])
  const files = listSessionFiles(machine, named)
  const summaries = machine.index
    .summaries(files)
    // The name of the agent's directory is lossy: other projects can share it.
    .filter(({ project: own }) => !directories || isAmong(directories, own ?? project!))
  return reportSessions(machine, summaries)
}

function isAmong(directories: readonly string[], project: string): boolean {
  return directories.some((directory) => isSamePath(directory, project))
}

/** The project and the other working trees of its repository. */
function relatedTo({ agents }: Machine, project: string): string[] {
  return [...new Set(agents.flatMap(({ sessions }) => sessions.related(project)))]
}

export function reportSessions(
  machine: Machine,
  summaries: readonly SessionSummary[],
  within?: Project,
): SessionReport[] {
  const live = new Map(findLiveProcesses(machine).map(({ session, status }) => [session, status]))
  const parents = findParents(summaries)
  const markOf = readSessionMarks(machine, summaries, within)
  const isGone = findGone()
  return summaries
    .map((summary) => {
      const mark = markOf(summary.id)
      const state = { updatedAt: summary.updatedAt, live: live.get(summary.id) ?? null }
      return {
        id: summary.id,
        agent: summary.agent,
        title: titleOf(summary, mark),
        project: summary.project,
        turns: summary.counted?.turns ?? null,
        branches: summary.counted?.branches ?? null,
        head: summary.counted?.head ?? null,
        ...state,
        parent: parents.get(summary.id) ?? null,
        lineage: lineageOf(summary),
        archived: isInEffect(mark.archived, state),
        deleted: isInEffect(mark.deleted, state),
        gone: isGone(summary.project),
      }
    })
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1))
}

/** Checks each project's directory only once. */
function findGone(): (project: string | null) => boolean {
  const known = new Map<string, boolean>()
  return (project) => {
    if (project === null) return true
    if (!known.has(project)) known.set(project, statPath(project)?.isDirectory() !== true)
    return known.get(project)!
  }
}

/**
 * Which session was forked from which. Retake says so in the first row, the SDK and `/branch` on
 * every row. `--fork-session` copies rows with their uuids and says nothing, so sessions with the
 * same first turn are parent and children; the oldest file is the parent.
 */
function findParents(
  summaries: readonly SessionSummary[],
): Map<string, NonNullable<SessionReport['parent']>> {
  const parents = new Map<string, NonNullable<SessionReport['parent']>>()
  const byFirstTurn = Map.groupBy(
    summaries.filter(({ counted }) => counted !== null && counted.turnIds.length > 0),
    ({ counted }) => counted!.turnIds[0]!,
  )
  for (const family of byFirstTurn.values()) {
    const [eldest, ...others] = [...family].sort((a, b) => (a.bornAt < b.bornAt ? -1 : 1))
    for (const child of others)
      parents.set(child.id, { session: eldest!.id, turn: lastShared(eldest!, child) })
  }
  const known = new Map(summaries.map((summary) => [summary.id, summary]))
  for (const child of summaries) {
    const { id, counted, branch } = child
    if (branch !== null) parents.set(id, { session: branch.parentSessionId, turn: branch.turn })
    else if (counted?.forkedFrom) {
      const { session } = counted.forkedFrom
      const parent = known.get(session)
      parents.set(id, { session, turn: parent?.counted ? lastShared(parent, child) : null })
    }
  }
  return parents
}

function lineageOf({ branch, counted, ...summary }: SessionSummary): SessionReport['lineage'] {
  if (branch === null) return null
  const { parentSessionId, rewindFromTurn, rewoundAt } = branch
  return {
    parentSessionId,
    rewindFromTurn,
    rewoundAt,
    created: rewoundAt,
    modified: summary.updatedAt,
    messageCount: counted?.messages ?? null,
    firstPrompt: summary.firstPrompt,
  }
}

function lastShared(parent: SessionSummary, child: SessionSummary): TurnId | null {
  const known = new Set(parent.counted!.turnIds)
  return child.counted!.turnIds.findLast((id) => known.has(id)) ?? null
}
