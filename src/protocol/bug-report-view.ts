import type { DoctorView } from './doctor-view.ts'

/** For a bug report: versions, settings, counts and sizes. No text, path or name of the user's. */
export interface BugReportView {
  schema: 'retake.bug-report/1'
  retake: string
  node: string
  system: string
  checks: { about: string; state: DoctorView['findings'][number]['state'] }[]
  /** Settings that differ from their defaults. Texts and lists are only said to be set. */
  settings: Record<string, string | number | boolean | null>
  shapes: {
    agents: readonly { name: string; version: string | null; tested: boolean }[]
    storeFormat: number
    projects: number
    sessions: { all: number; here: number; open: number }
    bytes: { all: number; project: number; transcripts: number }
    fileSystem: string | null
    changes: number
    operations: Record<string, number>
  }
}

export function bugReportView(
  { version, findings, values }: DoctorView,
  about: Pick<BugReportView, 'node' | 'system' | 'shapes'>,
): BugReportView {
  const { node, system, shapes } = about
  return {
    schema: 'retake.bug-report/1',
    retake: version,
    node,
    system,
    checks: findings.map(({ about: subject, state }) => ({ about: subject, state })),
    settings: Object.fromEntries(
      values
        .filter(({ from }) => from !== 'default')
        .map(({ name, value }) => [
          name,
          typeof value === 'object' || typeof value === 'string' ? 'set' : value,
        ]),
    ),
    shapes,
  }
}
