import { shortId, type StatusReport } from '#timeline'
import { damageText } from './damage-text.ts'
import { keptText, lossText } from './kept-text.ts'
import { count, shorten, type Paint } from './paint.ts'
import { pendingText } from './pending-text.ts'
import { tildeFor } from './sessions-text.ts'

const FILES = {
  in: 'present, although the turn is undone',
  out: 'missing, although the conversation has the turn',
  partly: 'partly present',
  reverted: 'reverted',
} as const

const HOOKS = {
  user: 'your settings',
  project: "the project's settings",
  local: "the project's local settings",
  plugin: 'the plugin',
} as const

/** One sentence, for errors without a session. */
export function hooksText(sources: StatusReport['hookSources']): string {
  return sources.length === 0
    ? 'The hooks are not installed.'
    : `The hooks are in ${placesText(sources)}.`
}

function placesText(sources: StatusReport['hookSources']): string {
  return sources.map((source) => HOOKS[source]).join(' and ')
}

const COVERAGE = {
  'whole-tree': 'whole project, including what commands did',
  'start-directory': 'the start directory, including what commands did there',
  'recorded-edits': "the agent's recorded edits; what its commands did to files is not known",
} as const

/** One line if all turns have the same coverage, else one per range of turns. */
function coverageText({ coverage, coverageOfTurns: ranges }: StatusReport): string[] {
  if (ranges.length < 2) return [`  coverage  ${COVERAGE[coverage]}`]
  return ranges.map(({ from, to, coverage: each }, n) => {
    const turns = from === to ? `turn ${from}` : `turns ${from} to ${to}`
    return `  ${n === 0 ? 'coverage' : '        '}  ${turns}: ${COVERAGE[each]}`
  })
}

export function statusText(report: StatusReport, paint: Paint, home: string): string {
  const { session, head } = report
  const lines = [
    `${paint.strong(shorten(session.title || '(no prompt)', paint.width - 12, paint))}  ${paint.quiet(shortId(session.id))}`,
    `  project   ${session.project === null ? 'unknown' : tildeFor(session.project, home)}`,
    `  head      ${head === null ? 'before the first turn' : `turn ${head.number} of ${report.turns}  ${paint.quiet(shorten(head.prompt, paint.width - 34, paint))}`}`,
  ]
  if (report.undone > 0) lines.push(`  undone    ${paint.warning(count(report.undone, 'turn'))}`)
  const { bare } = report
  if (bare !== null)
    lines.push(`  asked     the prompt of turn ${bare.number} stays, without its answer`)
  const { branch } = report
  const on = branch === null ? '' : paint.quiet(`, on ${branch.label}`)
  lines.push(`  branches  ${report.branches}${on}`)
  if (session.live !== null) {
    const under = report.supervised ? ', under `retake claude`' : ''
    const state = session.live === 'busy' ? 'the agent is working' : 'open in a running agent, idle'
    lines.push(`  live      ${state}${under}`)
  }
  if (report.pending !== null)
    lines.push(`  pending   ${paint.warning(pendingText(report.pending.to, session))}`)
  lines.push(...coverageText(report))
  lines.push(
    report.hookSources.length === 0
      ? paint.quiet('  hooks     not installed; run `retake install` to see what commands do')
      : `  hooks     in ${placesText(report.hookSources)}`,
  )
  if (report.notLookedAt !== null)
    lines.push(`  unseen    ${paint.warning(`everything that commands do: ${report.notLookedAt}`)}`)
  if (report.unwatchedTop !== null && report.notLookedAt === null)
    lines.push(
      `  unseen    ${paint.warning(`what commands do elsewhere in ${tildeFor(report.unwatchedTop, home)}`)}`,
    )
  for (const path of report.unwatchedDirectories)
    lines.push(
      `  unseen    ${paint.warning(`what commands do in ${tildeFor(path, home)} (added with --add-dir)`)}`,
    )
  for (const { number, files } of report.differing)
    lines.push(`  differs   ${paint.warning(`turn ${number}: its files are ${FILES[files]}`)}`)
  lines.push(...uncapturedText(report, paint))
  lines.push(`  kept      ${keptText(report.kept, paint)}`)
  return [...lines, ...lossText(report.losses, paint), ...damageText(report.damage, paint)].join(
    '\n',
  )
}

/** The status in one line: `⑂ main · turn 3 of 5 · 2 undone`. */
export function lineText(report: StatusReport, { signs, quiet, warning }: Paint): string {
  const { branch, head, turns, undone, pending, differing, hooks } = report
  return [
    branch === null ? '' : `${signs.branch} ${branch.label}`,
    `turn ${head?.number ?? 0} of ${turns}`,
    undone > 0 ? warning(`${undone} undone`) : '',
    pending === null ? '' : warning(`goes to turn ${pending.to?.number ?? 0} when you leave`),
    differing.length > 0 ? warning('files differ') : '',
    hooks === 'none' ? quiet('no hooks') : '',
  ]
    .filter((part) => part !== '')
    .join(quiet(` ${signs.dot} `))
}

const NAMED = 5

/** Names the files that scans cannot record, so that users know that undo leaves them alone. */
function uncapturedText({ notCaptured, eventsLost }: StatusReport, paint: Paint): string[] {
  const lines: string[] = []
  if (eventsLost)
    lines.push(
      `  hooks     ${paint.warning('the queue is full, so new events are lost; run `retake install`')}`,
    )
  if (notCaptured.count === 0) return lines
  lines.push(
    `  unseen    ${paint.warning(count(notCaptured.count, 'file'))} that undo leaves alone:`,
  )
  for (const { path, why } of notCaptured.files.slice(0, NAMED))
    lines.push(`            ${path}  ${paint.quiet(why)}`)
  const more = notCaptured.count - NAMED
  if (more > 0) lines.push(paint.quiet(`            and ${more} more (\`--json\` names them)`))
  return lines
}
