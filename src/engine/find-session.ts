import { claudeCode, type OpenSession, type SessionFile } from '#agents'
import { Failure } from '#failure'
import type { SessionReport } from '#timeline'
import { listAllSessions, reportSessions } from './list-sessions.ts'
import type { Machine } from './machine.ts'
import type { Project } from './open-project.ts'
import { findLosses } from './vault.ts'

export interface Wanted {
  /** A session's id, or its first four or more characters. */
  readonly session: string | null
  /** Where to look for the newest session when none is named. */
  readonly project: string | null
}

export interface FoundSession {
  readonly report: SessionReport
  readonly open: OpenSession
}

/** The named session, else the newest of the project, which may lie above the directory. */
export function findSession(machine: Machine, wanted: Wanted, within?: Project): FoundSession {
  const file = findFile(machine, wanted)
  machine.read.add(file.id)
  return openFound(machine, file, within)
}

/** A session whose file is known. Who only glances at many keeps none of them. */
export function openFound(machine: Machine, file: SessionFile, within?: Project): FoundSession {
  const open = claudeCode.openSession(machine.places.claudeConfig, file, machine.index)
  const [report] = reportSessions(machine, [open.summary], within)
  return { report: report!, open }
}

/** Which session that is and of which project, without reading what was said in it. */
export function nameSession(
  machine: Machine,
  wanted: Wanted,
): { readonly id: string; readonly project: string | null } {
  const file = findFile(machine, wanted)
  const [summary] = machine.index.summaries([file])
  return { id: file.id, project: summary?.project ?? null }
}

function findFile(machine: Machine, { session, project }: Wanted): SessionFile {
  const id = session === null ? newestOf(machine, project) : named(machine, session)
  const file = claudeCode.findSessionFile(machine.places.claudeConfig, id)
  if (file === null) throw notFound(machine, id)
  return file
}

/** Whether the session has been written down; a new one is not before its first prompt. */
export function hasSession({ places }: Machine, id: string): boolean {
  return claudeCode.findSessionFile(places.claudeConfig, id) !== null
}

/** The project of a directory: itself, or the nearest above it that has sessions. */
export function findProject(machine: Machine, directory: string): string | null {
  return findNearest(machine, directory)?.project ?? null
}

function findNearest(
  machine: Machine,
  directory: string,
): { readonly project: string; readonly sessions: readonly SessionReport[] } | null {
  for (let at = directory; ; at = parentOf(at)) {
    const sessions = listAllSessions(machine, at)
    if (sessions.length > 0) return { project: at, sessions }
    if (at === parentOf(at)) return null
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}

function newestOf(machine: Machine, project: string | null): string {
  const directory = project ?? machine.places.cwd
  const found = findNearest(machine, directory)
  const here = found?.sessions.filter(({ project: own }) => own === found.project) ?? []
  // Where all were deleted, the newest is still the one whose deletion can be undone.
  const newest = here.find(({ deleted }) => !deleted) ?? here[0]
  if (newest === undefined)
    throw new Failure('no-session', `There is no session for ${directory}.`, {
      hint: 'Run `retake sessions --all` to see those of other projects.',
    })
  return newest.id
}

function named(machine: Machine, text: string): string {
  if (claudeCode.findSessionFile(machine.places.claudeConfig, text) !== null) return text
  if (!/^[0-9a-f-]{4,36}$/.test(text)) throw notFound(machine, text)
  const all = claudeCode.listSessionFiles(machine.places.claudeConfig)
  const matching = all.filter(({ id }) => id.startsWith(text))
  if (matching.length > 1)
    throw new Failure('session-ambiguous', `${matching.length} sessions begin with ${text}.`, {
      hint: 'Give more characters of the id.',
    })
  if (matching.length === 0) throw notFound(machine, text)
  return matching[0]!.id
}

function notFound(machine: Machine, id: string): Failure {
  const isKept = findLosses(machine, null).some(({ session }) => session === id)
  return new Failure('session-not-found', `There is no session ${id}.`, {
    hint: isKept
      ? `Its transcript is gone, but Retake has it: \`retake rescue ${id}\` writes it back.`
      : 'Run `retake sessions --all` to see which there are.',
  })
}
