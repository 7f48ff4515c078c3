import type { FileReport, GitReport } from '#timeline'
import { count, type Paint } from './paint.ts'

const SIGNS = { created: '+', modified: '~', deleted: '-', renamed: '>', mode: 'm' } as const
const NOTES = {
  'line-endings-not-recorded': 'line endings not recorded',
  'old-text-not-recorded': 'old text not recorded',
  'outside-project': 'outside the project',
  'left-alone': 'not undone',
} as const

/** Draws `~ src/a.ts  +3 −1  subagent`, with notes about missing data. */
export function fileLine(file: FileReport, paint: Paint, options: { notes: boolean }): string {
  const paintSign =
    file.change === 'created'
      ? paint.added
      : file.change === 'deleted'
        ? paint.removed
        : paint.accent
  const name = file.from === undefined ? file.path : `${file.from} ${paint.signs.to} ${file.path}`
  const parts = [paintSign(SIGNS[file.change]), name, lineCounts(file, paint)]
  if (file.by !== 'agent') parts.push(paint.quiet(file.by))
  const notes = file.notes.filter((note) => options.notes || note === 'left-alone')
  if (notes.length > 0) parts.push(paint.quiet(`(${notes.map((note) => NOTES[note]).join(', ')})`))
  return parts.filter((part) => part !== '').join('  ')
}

export function lineCounts(
  { added, removed }: { added: number; removed: number },
  { signs, added: green, removed: red }: Paint,
): string {
  const parts = []
  if (added > 0) parts.push(green(`+${added}`))
  if (removed > 0) parts.push(red(`${signs.minus}${removed}`))
  return parts.join(' ')
}

/** Draws `⑂ git checkout main → feature, 12 files`: one line, however many files. */
export function gitLine({ did, files }: GitReport, paint: Paint): string {
  const counted = files === 0 ? '' : `, ${count(files, 'file')}`
  return `${paint.accent(paint.signs.branch)} ${did.replace('→', paint.signs.to)}${counted}`
}
