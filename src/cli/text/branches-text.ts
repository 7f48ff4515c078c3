import {
  shortId,
  type BranchDetails,
  type BranchesReport,
  type Crowd,
  type Effect,
} from '#timeline'
import { ageOf } from './age.ts'
import { lineCounts } from './file-text.ts'
import { count, pad, shorten, type Paint } from './paint.ts'
import { textWidth } from './text-width.ts'

/** A prompt cut to fewer columns is useless, so it is left out. */
const MIN_WIDTH = 8

/** The main branch first, archived branches last: name, fork, number of turns, age, effect. */
export function branchesText(report: BranchesReport, paint: Paint, now: number): string {
  const { branches } = report
  if (branches.length === 0) return paint.quiet('No turns.')
  const rows = branches.map((branch) => cellsOf(branch, paint, now))
  const widths = rows[0]!.map((_, column) =>
    Math.max(...rows.map((row) => textWidth(row[column]!))),
  )
  const lines = branches.map((branch, i) => {
    const [label, ...facts] = rows[i]!.map((cell, column) => pad(cell, widths[column]!))
    const sign = branch.current ? paint.accent(paint.signs.head) : signOf(branch, paint)
    const note = noteOf(branch, paint)
    const used =
      widths.reduce((sum, width) => sum + width + 2, 3) + textWidth(note) + (note === '' ? 0 : 2)
    const room = paint.width - used
    // The fork and the facts matter more than the prompt.
    const prompt = room < MIN_WIDTH ? '' : `  ${shorten(branch.prompt, room, paint)}`
    const text = ` ${sign} ${paint.strong(label!)}  ${paint.quiet(facts.join('  '))}${prompt}`
    return note === '' ? text : `${text}  ${paint.quiet(note)}`
  })
  return [...lines, ...crowdText(report.crowd, paint)].join('\n')
}

function cellsOf(branch: BranchDetails, paint: Paint, now: number): string[] {
  return [
    branch.label,
    forkOf(branch, paint),
    count(branch.turns, 'turn'),
    // A fixed width, so that the columns after it do not move while the age changes.
    pad(ageOf(branch.at, now), 6),
    effectText(branch.files, paint),
  ]
}

function forkOf({ fork, forkNumber }: BranchDetails, { signs }: Paint): string {
  if (fork === null) return 'from the start'
  return `${signs.branch} after ${forkNumber ?? shortId(fork)}`
}

export function effectText(effect: Effect, paint: Paint): string {
  if (effect.files === 0) return 'no files'
  return `${count(effect.files, 'file')} ${lineCounts(effect, paint)}`
}

function signOf({ archived }: BranchDetails, { signs }: Paint): string {
  return archived ? signs.undone : signs.other
}

function noteOf({ current, archived, canonical, fork }: BranchDetails, { signs }: Paint): string {
  const notes = [
    // The trunk is the main branch by default, so only another branch is labelled.
    canonical && fork !== null ? 'main branch' : '',
    archived ? 'archived' : '',
    current ? `${signs.here} you are here` : '',
  ]
  return notes.filter((note) => note !== '').join('  ')
}

function crowdText({ state, open, most, oldest }: Crowd, paint: Paint): string[] {
  if (state === 'fine') return []
  const said = `${open} branches; ${most} is the limit for what Retake makes.`
  if (state === 'many' || oldest.length === 0) return ['', paint.warning(said)]
  const names = oldest.map(({ label }) => (/\s/.test(label) ? `"${label}"` : label)).join(' ')
  return ['', paint.warning(said), `Run \`retake branch archive ${names}\` to archive the oldest.`]
}
