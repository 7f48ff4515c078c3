import type { GcView } from '#protocol'
import { bytesText } from './bytes.ts'
import { count, type Paint } from './paint.ts'

export function gcText(
  view: GcView,
  paint: Paint,
  { isDone }: { isDone: boolean } = { isDone: false },
): string {
  const { aside, deleted, operations, retention, graceDays } = view
  if (aside.contents + deleted.contents === 0)
    return 'Nothing to delete: everything is still needed.'
  const lines: string[] = []
  if (aside.contents > 0)
    lines.push(
      `${count(aside.contents, 'content')} (${bytesText(aside.bytes)}) that nothing needs ${isDone ? 'were set' : 'would be set'} aside.`,
      paint.quiet(
        `\`retake where PATH\` still finds them. \`retake gc\` deletes them after ${graceDays} days.`,
      ),
    )
  if (deleted.contents > 0)
    lines.push(
      `${count(deleted.contents, 'content')} (${bytesText(deleted.bytes)}) that were set aside at least ${graceDays} days ago ${isDone ? 'are' : 'would be'} deleted.`,
    )
  if (operations.length > 0) {
    const would = isDone ? 'can' : 'could'
    lines.push(
      paint.warning(
        `${count(operations.length, 'operation')} of more than ${retention} days ago ${would} no longer be undone:`,
      ),
    )
    for (const { id, verb, at } of operations) lines.push(`  ${id}  ${at.slice(0, 10)}  ${verb}`)
  }
  return lines.join('\n')
}
