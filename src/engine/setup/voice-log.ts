import { appendToLog, deleteLog, readLog } from '#store'
import type { VoiceLine, VoiceLogReport } from '#timeline'
import { findSession, openKnownProject, type Wanted } from '../session/index.ts'
import type { Machine } from '../ground/index.ts'
import { openProject } from '../project/index.ts'

/**
 * What was spoken in a session, and what was answered to it: a log beside the conversation. It is
 * only ever added to. The conversation can be taken back, what somebody heard cannot: so no
 * operation, and nothing that is undone, touches it.
 */
const LOG = 'voice-log'

export function readVoiceLog(machine: Machine, wanted: Wanted): VoiceLogReport {
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
  wanted: Wanted,
  { by, text }: Pick<VoiceLine, 'by' | 'text'>,
): VoiceLogReport {
  const { report } = findSession(machine, wanted)
  using project = openProject(machine, report.project ?? machine.places.cwd)
  const line = { at: machine.now().toISOString(), by, text }
  const number = appendToLog(project.store, report.id, LOG, line)
  return { session: report, lines: [{ ...line, number }] }
}

export function deleteVoiceLog(machine: Machine, wanted: Wanted): VoiceLogReport {
  const { report } = findSession(machine, wanted)
  using project = openKnownProject(machine, report.project)
  if (project !== null) deleteLog(project.store, report.id, LOG)
  return { session: report, lines: [] }
}
