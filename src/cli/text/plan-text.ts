import { wordsForConflict, wordsForReason } from '#protocol'
import {
  wordsForChangedBy,
  type FilePlan,
  type FileReason,
  type PlanReport,
  type PlanVerb,
  shortId,
} from '#timeline'
import { lineCounts } from './file-text.ts'
import { leftInPlan } from './left-text.ts'
import { count, pad, shorten, shortenPath, type Paint } from './paint.ts'
import { textWidth } from './text-width.ts'

/** The plan as text; names the session if the project has several. */
export function planText(plan: PlanReport, paint: Paint, session: string | null = null): string {
  const { headline: first, files, rest } = planParts(plan, paint)
  const where = session === null ? [] : [paint.quiet(`  session: ${session}`)]
  return [paint.strong(first), ...where, ...files.flat(), ...rest].join('\n')
}

/**
 * The plan in parts, for callers that show more about single files: `files` has the lines of each
 * file in the plan's order. With `fits`, long paths are shortened in the middle.
 */
export function planParts(
  plan: PlanReport,
  paint: Paint,
  { fits = false }: { readonly fits?: boolean } = {},
): { readonly headline: string; readonly files: string[][]; readonly rest: string[] } {
  const rest: string[] = []
  for (const { path, verb } of plan.directories ?? [])
    rest.push(`  ${pad(`${verb === 'create' ? '+' : paint.signs.delete} ${verb}`, 10)} ${path}/`)
  if (plan.conversation === 'move') rest.push(`  conversation: continues after ${nameOf(plan.to)}`)
  else if (plan.continues !== undefined)
    rest.push(
      `  conversation: continues in a new session, “${plan.continues.title}”; this one stays as it is`,
      `  ${paint.warning(plan.continues.because)}`,
    )
  else if (plan.verb === 'branch')
    rest.push('  conversation: the new session has it; this one stays as it is')
  else if (plan.conversation === 'pending')
    rest.push(
      `  conversation: continues after ${nameOf(plan.to)}${plan.reopens === true ? ', where the agent reopens' : ' when the agent has left it'}`,
    )
  else if (plan.turns > 0 && !isMark(plan)) rest.push(paint.quiet('  conversation: stays as it is'))
  for (const warning of plan.warnings) rest.push(`  ${paint.warning(warning)}`)
  rest.push(...leftInPlan(plan.left, paint))
  return {
    headline: headline(plan, paint),
    files: plan.files.map((file) => drawFile(file, plan.session, paint, fits)),
    rest,
  }
}

const HEADLINES: Record<PlanVerb, (plan: PlanReport, paint: Paint) => string> = {
  undo: (plan, paint) => `Undo ${count(plan.turns, 'turn')}${target(plan, paint)}`,
  redo: (plan, paint) => `Redo ${count(plan.turns, 'turn')}${target(plan, paint)}`,
  rewind: (plan) =>
    plan.beforeFirst === true
      ? `Go back before turn 1, ${count(plan.turns, 'turn')}`
      : `Go to ${nameOf(plan.to)}, ${count(plan.turns, 'turn')} away`,
  switch: (plan) => `Switch to ${branchNames(plan)}, ${nameOf(plan.to)}`,
  branch: (plan) => `New session “${branchNames(plan)}” after ${nameOf(plan.to)}`,
  revert: (plan, paint) => `Revert one turn’s file changes${target(plan, paint)}`,
  'revert-files': () => 'Revert the turns’ changes in files',
  'revert-off': (plan, paint) => `Bring one turn’s file changes back${target(plan, paint)}`,
  restore: (plan) => `Restore ${count(plan.files.length, 'file')}`,
  exact: (plan) => `Restore the whole project to ${nameOf(plan.to)}`,
  'op-undo': () => 'Undo an operation of Retake',
  'branch-rename': (plan) => `Rename ${branchNames(plan)} to ${plan.name}`,
  'branch-delete': (plan, { signs }) =>
    `Hide ${branchNames(plan)} ${signs.dot} ${count(plan.turns, 'turn')}; the transcript keeps them`,
  'branch-archive': (plan) => `Archive ${branchNames(plan)}`,
  'branch-unarchive': (plan) => `Unarchive ${branchNames(plan)}`,
  'branch-canonical': ({ branches: [main, old] }) =>
    `Make ${main?.label} the main branch, and archive ${old?.label}`,
  checkpoint: (plan) => `Name ${nameOf(plan.to)} “${plan.name}”`,
  'checkpoint-delete': (plan) => `Delete checkpoint “${plan.name}” of ${nameOf(plan.to)}`,
  'session-rename': (plan) => `Rename “${branchNames(plan)}” to “${plan.name}” in Retake`,
  'session-delete': (plan) => `Hide ${sessionNames(plan)}; the agent’s files stay`,
  'session-archive': (plan) => `Archive ${sessionNames(plan)}`,
  'session-unarchive': (plan) => `Unarchive ${sessionNames(plan)}`,
}

function branchNames({ branches }: PlanReport): string {
  return branches.map(({ label }) => label).join(', ')
}

function sessionNames({ branches }: PlanReport): string {
  return branches.map(({ label }) => `“${label}”`).join(', ')
}

function isMark({ verb }: PlanReport): boolean {
  return /^(?:branch-|checkpoint|session-)/.test(verb)
}

function headline(plan: PlanReport, paint: Paint): string {
  if (isMark(plan)) return HEADLINES[plan.verb](plan, paint)
  const messages = plan.messages > 0 ? ` ${paint.signs.dot} ${count(plan.messages, 'message')}` : ''
  const files = plan.files.filter(({ verb }) => verb !== 'skip').length
  return `${HEADLINES[plan.verb](plan, paint)}${messages} ${paint.signs.dot} ${count(files, 'file')}`
}

function target({ target: to }: PlanReport, paint: Paint): string {
  return to === null ? '' : ` (“${shorten(to.prompt, 40, paint)}”)`
}

function nameOf(turn: PlanReport['to']): string {
  if (turn === null) return 'before the first turn'
  return `turn ${turn.number ?? shortId(turn.id)}`
}

const NARROW = 80

function wordsFor(why: FileReason, who: string): string {
  const consent = why === 'needs-consent' ? ': `--choose PATH=put-back` restores it' : ''
  return `${wordsForReason(why, who)}${consent}`
}

function whoChanged({ changedBy }: FilePlan, own: string): string {
  if (changedBy === undefined) return 'you'
  const { session, turn } = changedBy
  if (session === own || turn === null) return wordsForChangedBy(changedBy, own)
  return `session ${shortId(session)}, turn ${turn},`
}

function bothChanged(who: string, lines: string): string {
  return who === 'you' ? `you and the agent both changed ${lines}` : `${who} changed ${lines} too`
}

function drawFile(file: FilePlan, session: string, paint: Paint, fits: boolean): string[] {
  const { restore, delete: gone, merge, skip } = paint.signs
  const signs = { restore, create: '+', delete: gone, merge, conflict: '!', skip }
  const verb = pad(`${signs[file.verb]} ${file.verb}`, 10)
  const who = whoChanged(file, session)
  const sign = file.verb === 'conflict' ? paint.warning(verb) : verb
  const plainWhy = file.why === null ? '' : `  ${wordsFor(file.why, who)}`
  const why = plainWhy === '' ? '' : paint.quiet(plainWhy)
  const isNarrow = paint.width < NARROW
  const counts = lineCounts(file, paint)
  const room = paint.width - 15 - textWidth(counts)
  const path = pad(fits ? shortenPath(file.path, room, paint) : file.path, isNarrow ? 18 : 30)
  const first = `  ${sign} ${path} ${counts}`
  // A long reason after the counts would be cut off or wrapped, so it gets its own line.
  const width = textWidth(`  ${verb} ${path} ${counts}${plainWhy}`)
  const lines =
    isNarrow || width > paint.width
      ? [first.trimEnd(), ...(why === '' ? [] : [`    ${why}`])]
      : [`${first}${why}`.trimEnd()]
  for (const { ours, theirs } of file.regions)
    lines.push(paint.quiet(`      ${bothChanged(who, wordsForConflict(ours, theirs))}`))
  return lines
}
