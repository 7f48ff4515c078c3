import type { StashEntry, TurnReport } from '#timeline'
import { ageOf } from './age.ts'
import { effectText } from './branches-text.ts'
import { fileLine } from './file-text.ts'
import { promptOf } from './log-text.ts'
import { count, pad, type Paint } from './paint.ts'

/** The stash, newest first. */
export function stashText(entries: readonly StashEntry[], paint: Paint, now: number): string {
  if (entries.length === 0) return 'The stash is empty: every turn is on the current line.'
  return [
    ...entries.flatMap((entry) => [entryLine(entry, paint, now), ...turnLines(entry, paint)]),
    paint.quiet(
      'Run `retake stash show ID` to see turns, `retake stash restore ID` to restore them.',
    ),
  ].join('\n')
}

export function stashEntryText(entry: StashEntry, paint: Paint, now: number): string {
  return [
    entryLine(entry, paint, now),
    ...entry.turns.flatMap((turn) => [
      turnLine(turn, paint),
      ...turn.files.map((file) => `          ${fileLine(file, paint, { notes: false })}`),
    ]),
  ].join('\n')
}

function entryLine({ id, at, verb, turns, where }: StashEntry, paint: Paint, now: number): string {
  const { signs } = paint
  const place = where === 'ahead' ? 'ahead: `retake redo`' : `${signs.branch} ${where.label}`
  const facts = [count(turns.length, 'turn'), `left by ${verb}`, ageOf(at, now), place]
  return ` ${paint.strong(pad(String(id), 4))} ${facts.join(` ${signs.dot} `)}`
}

const SHOWN = 3

function turnLines({ turns }: StashEntry, paint: Paint): string[] {
  const lines = turns.slice(0, SHOWN).map((turn) => turnLine(turn, paint))
  const more = turns.length - SHOWN
  return more > 0 ? [...lines, paint.quiet(`      and ${count(more, 'more turn')}`)] : lines
}

function turnLine(turn: TurnReport, paint: Paint): string {
  const prompt = promptOf(turn, Math.max(20, paint.width - 36), paint)
  const effect = {
    files: turn.files.length,
    added: turn.files.reduce((sum, { added }) => sum + added, 0),
    removed: turn.files.reduce((sum, { removed }) => sum + removed, 0),
  }
  return `      ${paint.signs.undone} ${prompt}  ${paint.quiet(effectText(effect, paint))}`
}
