import type { BugReportView } from '#protocol'
import { count } from './paint.ts'

/** The report as Markdown, to paste into an issue. */
export function bugReportText(report: BugReportView): string {
  const { retake, node, system, checks, settings, shapes } = report
  const { agents, sessions, bytes, operations } = shapes
  const list = (all: Readonly<Record<string, unknown>>): string =>
    Object.entries(all)
      .map(([name, value]) => `${name} ${String(value)}`)
      .join(', ') || 'none'
  const unwell = checks.filter(({ state }) => state !== 'fine')
  return [
    '```',
    `retake      ${retake}, Node ${node}, ${system}`,
    ...agents.map(
      ({ name, version, tested }) =>
        `agent       ${name} ${version ?? 'not found'}${tested ? ', tested' : ''}`,
    ),
    `checks      ${unwell.map(({ about, state }) => `${about}: ${state}`).join(', ') || 'all fine'}`,
    `settings    ${list(settings)}`,
    `sessions    ${sessions.all} (${sessions.here} here, ${sessions.open} open) in ${count(shapes.projects, 'project')}`,
    `store       format ${shapes.storeFormat}, ${bytes.all} bytes (${bytes.project} here, ${bytes.transcripts} of transcripts)`,
    `files       ${count(shapes.changes, 'change')}, file system ${shapes.fileSystem ?? 'unknown'}`,
    `operations  ${list(operations)}`,
    '```',
  ].join('\n')
}
