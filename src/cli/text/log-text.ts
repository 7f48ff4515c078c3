import { shortId, type LogReport, type TurnReport } from '#timeline'
import { timeOf } from './age.ts'
import { damageText } from './damage-text.ts'
import { fileLine, gitLine } from './file-text.ts'
import { count, fitLine, pad, shorten, type Paint } from './paint.ts'

const COVERAGE = 'Only the edits that the agent recorded; what its commands did is not known.'
const START_DIRECTORY = 'What commands did outside the start directory is not known.'

export interface LogDrawing {
  /** Totals of the current line; without them, the drawn turns are counted. */
  readonly all?: { readonly turns: number; readonly undone: number }
  /** Number of turns before the first drawn one. */
  readonly earlier?: number
  readonly newestFirst?: boolean
  /** The log shows only matching turns. */
  readonly filtered?: boolean
}

/**
 * Draws the current line from the first turn to the last undone one, then the turns of other
 * branches. `headAt` is the line number of the head in the text.
 */
export function logText(
  report: LogReport,
  paint: Paint,
  now: number,
  { all, earlier = 0, newestFirst = false, filtered = false }: LogDrawing = {},
): { readonly text: string; readonly headAt: number | null } {
  const line = report.turns.filter(({ number }) => number !== null)
  const others = report.turns.filter(({ number }) => number === null)
  const undone = line.filter(({ state }) => state === 'undone').length
  const lines = [
    heading(report, all ?? { turns: line.length, undone }, paint),
    ...(report.turns.some(({ coverage }) => coverage === 'recorded-edits')
      ? [paint.quiet(fitLine(COVERAGE, paint))]
      : []),
    ...(report.turns.some(({ coverage }) => coverage === 'start-directory')
      ? [paint.quiet(fitLine(START_DIRECTORY, paint))]
      : []),
    '',
  ]
  const before =
    earlier === 0 ? [] : [paint.quiet(`  ${count(earlier, 'earlier turn')}: \`retake log --all\``)]
  if (line.length === 0) lines.push(paint.quiet(filtered ? '  No matching turns.' : '  No turns.'))
  if (!newestFirst) lines.push(...before)
  let headAt: number | null = null
  for (const turn of newestFirst ? line.toReversed() : line) {
    if (turn.turn.id === report.head) headAt = lines.length + 1
    lines.push(...drawTurn(turn, turn.turn.id === report.head, paint, now))
  }
  if (newestFirst) lines.push(...before)
  if (others.length > 0) {
    lines.push('', paint.quiet(`On other branches (\`retake tree\` shows where they fork):`))
    for (const turn of newestFirst ? others.toReversed() : others)
      lines.push(...drawTurn(turn, false, paint, now))
  }
  lines.push(...damageText(report.damage, paint))
  return { text: lines.join('\n'), headAt }
}

function heading(
  report: LogReport,
  { turns, undone }: NonNullable<LogDrawing['all']>,
  paint: Paint,
): string {
  const { session, branches } = report
  const parts = [count(turns, 'turn')]
  if (undone > 0) parts.push(paint.warning(`${undone} undone`))
  if (branches.length > 1) parts.push(count(branches.length, 'branch', 'branches'))
  parts.push(shortId(session.id))
  const title = shorten(session.title || '(no prompt)', paint.width - 40, paint)
  return `${paint.strong(title)}  ${parts.join(` ${paint.signs.dot} `)}`
}

function drawTurn(report: TurnReport, isHead: boolean, paint: Paint, now: number): string[] {
  const { signs } = paint
  const undone = report.state === 'undone'
  const sign = isHead ? signs.head : signs[report.state]
  const name = report.number === null ? shortId(report.turn.id) : String(report.number)
  const facts = [
    timeOf(report.turn.at, now),
    report.steps > 0 ? count(report.steps, 'step') : '',
    report.turn.interrupted ? 'interrupted' : '',
    report.turn.summarized ? 'summarized' : '',
    report.children > 1 ? `${signs.branch} ${report.children}` : '',
    undone ? 'undone' : '',
    filesNote(report),
    ...report.checkpoints.map((name) => `${signs.flag} ${name}`),
    isHead ? `${signs.here} you are here` : '',
  ].filter((fact) => fact !== '')
  const tail = facts.join('  ')
  const room = Math.max(20, paint.width - tail.length - Math.max(4, name.length) - 8)
  const prompt = promptOf(report, room, paint)
  const head = ` ${isHead ? paint.accent(sign) : sign} ${pad(name, 4)} ${pad(prompt, room)}  ${paint.quiet(tail)}`
  const details = [
    ...(report.turn.kept ? [paint.quiet('+ after a prompt kept without its answer')] : []),
    ...report.turn.absorbed.map(
      ({ text }) => `+ ${shorten(text, room, paint)}  ${paint.quiet('while it worked')}`,
    ),
    ...report.files.map((file) => fileLine(file, paint, { notes: false })),
    ...report.git.map((move) => gitLine(move, paint)),
    ...commandLines(report, paint),
    ...editedLine(report, paint),
  ]
  const lines = [head, ...details.map((detail) => `        ${detail}`)].map((text) =>
    fitLine(text, paint),
  )
  return undone ? lines.map((text) => paint.quiet(text)) : lines
}

const EDITED_SHOWN = 3

/** The user's own edits after the turn; undo keeps them. */
function editedLine({ editedAfter }: TurnReport, paint: Paint): string[] {
  if (editedAfter.length === 0) return []
  const names = editedAfter.slice(0, EDITED_SHOWN).map(({ path }) => path)
  const more = editedAfter.length - EDITED_SHOWN
  const all = more > 0 ? [...names, `${more} more`] : names
  return [
    paint.quiet(`you edited ${count(editedAfter.length, 'file')} afterwards: ${all.join(', ')}`),
  ]
}

/** Shown only if files and conversation are at different turns. */
export function filesNote({ state, filesState, files }: TurnReport): string {
  if (files.length === 0 || filesState === (state === 'active' ? 'in' : 'out')) return ''
  return filesState === 'reverted' ? 'files reverted' : `files ${filesState}`
}

export function promptOf(report: TurnReport, room: number, paint: Paint): string {
  if (report.turn.kind === 'orphan') return '(its prompt is not in the file)'
  return shorten(report.turn.prompt, room, paint) || '(empty prompt)'
}

const COMMANDS_SHOWN = 3

function commandLines({ commands }: TurnReport, paint: Paint): string[] {
  const lines = commands
    .slice(0, COMMANDS_SHOWN)
    .map((command) => paint.quiet(`$ ${shorten(command, paint.width - 40, paint)}`))
  const more = commands.length - COMMANDS_SHOWN
  if (more > 0) lines.push(paint.quiet(`$ and ${count(more, 'more command')}`))
  if (lines.length > 0) lines[lines.length - 1] += paint.quiet(`  (effect on files not recorded)`)
  return lines
}
