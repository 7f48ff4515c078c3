import { appendToLog, deleteLog, readLog } from '#store'
import type { VoiceLine, VoiceLogReport } from '#timeline'
import { findSession, openKnownProject, type SessionQuery } from '../session/index.ts'
import type { Machine } from '../ground/index.ts'
import { openProject } from '../project/index.ts'

/**
 * The voice log: what was said to a session and answered, next to the conversation. Lines are only
 * added. Users can undo a conversation but not what they heard, so no operation touches the log.
 */
const LOG = 'voice-log'

export function readVoiceLog(machine: Machine, wanted: SessionQuery): VoiceLogReport {
  const { report } = findSession(machine, wanted)
  using project = openKnownProject(machine, report.project)
  const lines = project === null ? [] : readLog(project.store, report.id, LOG)
  return {
    session: report,
    lines: lines.map(({ number, line }) => ({ ...(line as Omit<VoiceLine, 'number'>), number })),
  }
}

export function appendToVoiceLog(
  machine: Machine,
  wanted: SessionQuery,
  { by, text }: Pick<VoiceLine, 'by' | 'text'>,
): VoiceLogReport {
  const { report } = findSession(machine, wanted)
  using project = openProject(machine, report.project ?? machine.places.cwd)
  const line = { at: machine.now().toISOString(), by, text }
  const number = appendToLog(project.store, report.id, LOG, line)
  return { session: report, lines: [{ ...line, number }] }
}

export function deleteVoiceLog(machine: Machine, wanted: SessionQuery): VoiceLogReport {
  const { report } = findSession(machine, wanted)
  using project = openKnownProject(machine, report.project)
  if (project !== null) deleteLog(project.store, report.id, LOG)
  return { session: report, lines: [] }
}
