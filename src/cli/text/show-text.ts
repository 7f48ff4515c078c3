import { shortId, type FileDiff, type Moment, type ShowReport, type Step } from '#timeline'
import { timeOf } from './age.ts'
import { fileLine, gitLine } from './file-text.ts'
import { count, shorten, type Paint } from './paint.ts'

/** A whole turn: prompt, conversation, steps, files and diffs. */
export function showText(report: ShowReport, paint: Paint, now: number): string {
  const { turn } = report
  const name = turn.number === null ? shortId(turn.turn.id) : `Turn ${turn.number}`
  const facts = [
    timeOf(turn.turn.at, now),
    count(turn.messages, 'message'),
    count(turn.steps, 'step'),
    turn.state === 'active'
      ? ''
      : turn.state === 'undone'
        ? 'undone'
        : `on branch ${report.branchLabel}`,
    ...turn.checkpoints.map((name) => `${paint.signs.flag} ${name}`),
    turn.turn.summarized ? 'the agent has only a summary of it' : '',
  ].filter((fact) => fact !== '')
  const lines = [`${paint.strong(name)}  ${paint.quiet(facts.join(` ${paint.signs.dot} `))}`, '']
  lines.push(...indented(turn.turn.prompt || '(its prompt is not in the file)', '  > '), '')
  for (const moment of report.moments) lines.push(...drawMoment(moment, paint))
  lines.push(...filesText(report, paint))
  for (const diff of report.diffs) lines.push(...diffText(diff, paint))
  return lines.join('\n')
}

function filesText({ turn }: ShowReport, paint: Paint): string[] {
  const lines: string[] = ['']
  if (turn.files.length === 0) lines.push(paint.quiet('No edits recorded.'))
  else lines.push(paint.strong(count(turn.files.length, 'file')))
  for (const file of turn.files) lines.push(`  ${fileLine(file, paint, { notes: true })}`)
  for (const move of turn.git) lines.push(`  ${gitLine(move, paint)}`)
  if (turn.commands.length > 0) {
    lines.push(
      '',
      paint.warning(
        `${count(turn.commands.length, 'command')} whose effect on files was not recorded:`,
      ),
    )
    for (const command of turn.commands)
      lines.push(`  $ ${shorten(command, paint.width - 4, paint)}`)
  }
  return lines
}

function drawMoment(moment: Moment, paint: Paint): string[] {
  switch (moment.kind) {
    case 'said':
      return indented(moment.text, '  ')
    case 'thought':
      return [paint.quiet(`  thought: ${shorten(moment.text, paint.width - 12, paint)}`)]
    case 'step':
      return drawStep(moment.step, 2, paint)
    case 'absorbed':
      return indented(moment.text, '  > ').map(
        (line) => `${line}${paint.quiet('  (while it worked)')}`,
      )
    case 'interrupted':
      return [paint.warning('  interrupted')]
    case 'compacted':
      return [
        paint.quiet(
          `  ${paint.signs.dashed} compacted: the agent has only a summary of what came before`,
        ),
      ]
    case 'unreadable':
      return [paint.warning(`  ${moment.why}`)]
  }
}

function drawStep(step: Step, indent: number, paint: Paint): string[] {
  const outcome = step.outcome === 'ok' ? '' : `  ${paint.warning(step.outcome)}`
  const about = shorten(
    step.about,
    Math.max(20, paint.width - indent - step.tool.length - 16),
    paint,
  )
  const head = `${' '.repeat(indent)}${paint.accent(step.tool)} ${about}${outcome}`
  if (step.agent === null) return [head]
  const { agent } = step
  const note = agent.background ? paint.quiet('  in the background') : ''
  return [head + note, ...agent.steps.flatMap((inner) => drawStep(inner, indent + 4, paint))]
}

const HIDDEN =
  '  Not shown: it may contain secrets. Run `retake show` or `retake diff` with `--reveal` to see it.'

export function diffText({ path, diff, hidden }: FileDiff, paint: Paint): string[] {
  const lines = ['', paint.strong(path)]
  if (hidden === true) return [...lines, paint.quiet(HIDDEN)]
  if (diff.kind === 'not-text') return [...lines, paint.quiet('  not text, or not recorded')]
  if (diff.kind === 'same') return [...lines, paint.quiet('  no difference')]
  for (const hunk of diff.hunks) {
    lines.push(
      paint.accent(`@@ -${hunk.oldFrom},${hunk.oldCount} +${hunk.newFrom},${hunk.newCount} @@`),
    )
    for (const { change, text } of hunk.lines) {
      // In a CRLF file every line ends with ␍, so hide it.
      const shown = text.replace(/␍$/, '')
      if (change === 'same') lines.push(` ${shown}`)
      else lines.push(change === 'added' ? paint.added(`+${shown}`) : paint.removed(`-${shown}`))
    }
  }
  return lines
}

function indented(text: string, lead: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${lead}${line}`)
}
