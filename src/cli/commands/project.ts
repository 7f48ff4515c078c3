import { forSession } from '#protocol'
import { resolve } from 'node:path'
import { planProjectMove, wordsOf } from '#engine'
import type { Context } from '../context.ts'
import { allVisible } from '../visible.ts'

/** Records that a project directory has moved. It moves no files. */
export function moveProject(
  context: Context,
  { from, to }: { readonly from: string; readonly to: string },
  { dryRun = false }: { readonly dryRun?: boolean },
): void {
  const plan = planProjectMove(context.machine, { from: resolve(from), to: resolve(to) })
  if (!dryRun) plan.apply()
  const { sessions, hasHistory } = plan
  if (context.json)
    return context.print({
      schema: 'retake.project-move/1',
      dryRun,
      from: plan.from,
      to: plan.to,
      sessions,
      history: hasHistory ? 'kept-apart' : plan.stores.length > 0 ? 'moved' : 'none',
    })
  const many = sessions === 1 ? '1 session' : `${sessions} sessions`
  context.write(
    allVisible(
      `${dryRun ? 'Would record' : 'Recorded'}: ${plan.from} is now ${plan.to}, with ${many}.`,
    ),
  )
  if (hasHistory)
    context.say(
      'Retake already has a history of the new directory. The operations of the old one are not merged into it.',
    )
  const { name, resume } = wordsOf(context.machine, null)
  context.say(
    context.paint.quiet(
      `${name} keeps its files where they are: \`${forSession(resume, 'ID')}\` finds a session from anywhere.`,
    ),
  )
}
