import {
  shortId,
  type ComparedFile,
  type CompareReport,
  type CompareSide,
  type TurnReport,
} from '#timeline'
import { textWidth } from './text-width.ts'
import { effectText } from './branches-text.ts'
import { lineCounts } from './file-text.ts'
import { promptOf } from './log-text.ts'
import { count, pad, shorten, type Paint } from './paint.ts'

/** The turns after the fork in two columns, then the files that differ. */
export function compareText(report: CompareReport, paint: Paint): string {
  const [a, b] = report.sides
  const { signs } = paint
  const names = [nameOf(a, b), nameOf(b, a)] as const
  const room = Math.max(24, Math.floor((Math.min(paint.width, 120) - 7) / 2))
  const rows = [
    [countsOf(a, paint), countsOf(b, paint)],
    ...Array.from({ length: Math.max(a.turns.length, b.turns.length) }, (_, i) => [
      turnText(a.turns[i], room, paint),
      turnText(b.turns[i], room, paint),
    ]),
  ]
  const width = Math.max(textWidth(names[0]), ...rows.map(([left]) => textWidth(left!)))
  const draw = ([left, right]: readonly string[]): string =>
    `  ${pad(left!, width)}  ${paint.quiet(signs.line)}  ${right}`.trimEnd()
  return [
    paint.quiet(forkText(report, paint)),
    '',
    draw([paint.strong(names[0]), paint.strong(names[1])]),
    ...rows.map((row, i) => (i === 0 ? paint.quiet(draw(row)) : draw(row))),
    '',
    ...filesText(report, names, paint),
  ].join('\n')
}

/** A turn by its number; with its branch if both turns have the same number. */
function nameOf(side: CompareSide, other: CompareSide): string {
  const { kind, branch, session, length } = side
  if (kind === 'session') return shortId(session.id)
  if (kind === 'branch') return branch.label
  const same = other.kind === 'turn' && other.length === length
  return same ? `${branch.label}:${length}` : `turn ${length}`
}

function forkText({ fork }: CompareReport, paint: Paint): string {
  if (fork === null) return 'They have no turn in common.'
  const name = fork.number === null ? shortId(fork.id) : String(fork.number)
  return `Diverged after turn ${name} “${shorten(fork.prompt, paint.width - 32, paint)}”.`
}

function countsOf(side: CompareSide, paint: Paint): string {
  if (side.turns.length === 0) return 'no turns of its own'
  const parts = [count(side.turns.length, 'turn'), count(side.messages, 'message')]
  return [...parts, effectText(side.effect, paint)].join(` ${paint.signs.dot} `)
}

function turnText(turn: TurnReport | undefined, room: number, paint: Paint): string {
  if (turn === undefined) return ''
  return `${pad(String(turn.number), 3)} ${promptOf(turn, room - 4, paint)}`
}

/** Which side changed the file. For a turn, any turn up to it may have. */
function changedBy(
  { changedBy: by }: ComparedFile,
  sides: CompareReport['sides'],
  names: readonly [string, string],
): string {
  if (by === 'both') return 'both changed it'
  const side = by === 'first' ? 0 : 1
  const name = names[side]
  return sides[side].kind === 'turn' ? `changed on the way to ${name}` : `${name} changed it`
}

function filesText(
  { files, sides }: CompareReport,
  names: readonly [string, string],
  paint: Paint,
): string[] {
  if (files.length === 0) return [paint.quiet('No file that their turns changed differs.')]
  const width = Math.max(...files.map(({ path }) => textWidth(path)))
  const range = `${sides[0].asked}..${sides[1].asked}`
  return [
    paint.strong(`${count(files.length, 'file')} differ${files.length === 1 ? 's' : ''}`) +
      paint.quiet(`, from ${names[0]} to ${names[1]}`),
    ...files.map((file) => drawFile(file, changedBy(file, sides, names), width, paint)),
    ...(sides[0].session.id === sides[1].session.id
      ? [paint.quiet(`\`retake diff ${/\s/.test(range) ? `"${range}"` : range}\` shows the lines.`)]
      : []),
  ]
}

function drawFile(file: ComparedFile, by: string, width: number, paint: Paint): string {
  const counts = lineCounts(file, paint) || 'not text'
  return `  ${pad(file.path, width)}  ${pad(counts, 10)}  ${paint.quiet(by)}`
}
