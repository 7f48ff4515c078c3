import { forgetBranch, openProject, purgePath, readSession } from '#engine'
import { forgetView, purgeView } from '#protocol'
import type { Context } from '../context.ts'
import { bytesText } from '../text/bytes.ts'
import { count } from '../text/paint.ts'
import { allVisible } from '../visible.ts'
import { confirm, openKept, type StorageFlags } from './storage.ts'
import { pathInProject } from './history.ts'

/** Deletes for good, so the same code first runs as a dry run and asks. */
export async function forget(context: Context, branch: string, flags: StorageFlags): Promise<void> {
  const { machine } = context
  const session = readSession(machine, context.wanted)
  using project = openProject(machine, session.report.project)
  const perform = (dryRun: boolean) => forgetBranch(machine, project, session, { branch, dryRun })
  const { label } = (await perform(true)).branch
  await carryOut(context, flags, { verb: 'forget', dry: flags.dryRun === true }, async (dryRun) => {
    const view = forgetView(await perform(dryRun), { dryRun })
    const { turns, transcript } = allVisible(view)
    const says = [
      `${dryRun ? 'Would delete' : 'Deleted'} Retake's copies of branch ${allVisible(label)}: ${count(turns, 'turn')}, ${amount(view)}.`,
      `The agent's transcript still has the text: ${transcript}`,
    ]
    return { view, says }
  })
}

export async function purge(context: Context, path: string, flags: StorageFlags): Promise<void> {
  using project = openKept(context)
  const inProject = pathInProject(context, project, path)
  const held = await purgePath(context.machine, project, { path: inProject, dryRun: true })
  if (held.contents.length === 0 && !context.json)
    return context.write(`Retake has no version of ${allVisible(inProject)}. Nothing was deleted.`)
  await carryOut(context, flags, { verb: 'purge', dry: flags.dryRun === true }, async (dryRun) => {
    const erased = await purgePath(context.machine, project, { path: inProject, dryRun })
    const view = purgeView(inProject, erased, { dryRun })
    const says = [
      `${dryRun ? 'Would delete' : 'Deleted'} all versions of ${allVisible(inProject)} that Retake keeps: ${amount(view)}.`,
      'The file itself and the transcripts stay. Retake records the file again when it changes.',
    ]
    return { view, says }
  })
}

function amount(view: { contents: number; bytes: number; operations: number[] }): string {
  const { contents, bytes, operations } = view
  const lost =
    operations.length === 0 ? '' : `; operation ${operations.join(', ')} can no longer be undone`
  return `${count(contents, 'content')} (${bytesText(bytes)})${lost}`
}

async function carryOut(
  context: Context,
  flags: StorageFlags,
  { verb, dry }: { verb: string; dry: boolean },
  perform: (dryRun: boolean) => Promise<{ view: object; says: string[] }>,
): Promise<void> {
  let { view, says } = await perform(true)
  if (!dry) {
    await confirm(context, flags, { verb, says: says.join('\n') })
    ;({ view, says } = await perform(false))
  }
  if (context.json) context.print(view)
  else context.write(says.join('\n'))
}
