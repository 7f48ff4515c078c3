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
    return 'Everything that is kept is needed; nothing can go.'
  const lines: string[] = []
  if (aside.contents > 0)
    lines.push(
      `${count(aside.contents, 'content')} (${bytesText(aside.bytes)}) that nothing needs any more ${isDone ? 'were put' : 'would be put'} aside.`,
      paint.quiet(
        `\`retake where PATH\` still finds them; a \`gc\` after ${graceDays} days deletes them.`,
      ),
    )
  if (deleted.contents > 0)
    lines.push(
      `${count(deleted.contents, 'content')} (${bytesText(deleted.bytes)}) that were put aside ${graceDays} days ago or earlier ${isDone ? 'are' : 'would be'} deleted.`,
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
