import { rememberDirectory, type Planned } from '#engine'
import type { LeftReport } from '#timeline'
import { askYesNo } from './ask.ts'
import type { Context } from './context.ts'
import { count } from './text/paint.ts'
import { visible } from './visible.ts'

/**
 * Asks once about each directory outside the project in which a planned turn edited files, and
 * remembers the answer. True if the user agreed to one, which makes the plan outdated.
 */
export async function askDirectories(
  context: Context,
  planned: Planned,
  signal: AbortSignal,
): Promise<boolean> {
  if (context.json || planned.kind !== 'planned') return false
  let isNew = false
  for (const [directory, files] of byDirectory(planned.report.left)) {
    const what = files.length === 1 ? visible(files[0]!) : count(files.length, 'file')
    context.say(`The agent also edited ${what}, outside this project.`)
    const isYes = await askYesNo(
      `Undo its edits in ${visible(directory)} too, now and in the future?`,
      signal,
    )
    rememberDirectory(context.machine, directory, isYes)
    isNew ||= isYes
  }
  return isNew
}

function byDirectory(left: readonly LeftReport[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const { path, agree } of left)
    if (agree !== undefined && path !== null)
      found.set(agree, [...new Set([...(found.get(agree) ?? []), path])])
  return found
}
