import {
  applyGc,
  applyRescue,
  findProject,
  GRACE_DAYS,
  openKnownProject,
  planGc,
  planRescue,
  readSession,
  type Project,
  wordsOf,
} from '#engine'
import { Failure } from '#failure'
import { gcView, rescueView, forSession } from '#protocol'
import { askYesNo } from '../ask.ts'
import type { Context } from '../context.ts'
import { bytesText } from '../text/bytes.ts'
import { gcText } from '../text/gc-text.ts'
import { allVisible } from '../visible.ts'

/** Flags of the verbs that cannot be undone. */
export interface StorageFlags {
  readonly dryRun?: boolean
  readonly yes?: boolean
}

export async function collectGarbage(context: Context, flags: StorageFlags): Promise<void> {
  using project = openKept(context)
  const plan = planGc(context.machine, project)
  const isNothing = plan.aside.length + plan.drop.length === 0
  const dryRun = flags.dryRun === true
  const view = gcView(plan, { project: project.path, dryRun, graceDays: GRACE_DAYS })
  if (!isNothing && !dryRun) {
    await confirm(context, flags, { verb: 'gc', says: gcText(allVisible(view), context.paint) })
    await applyGc(context.machine, project, plan)
  }
  if (context.json) return context.print(view)
  context.write(gcText(allVisible(view), context.paint, { isDone: !dryRun && !isNothing }))
}

export function rescue(context: Context, id: string, { dryRun = false }: StorageFlags): void {
  const plan = planRescue(context.machine, id)
  if (!dryRun) applyRescue(context.machine, plan)
  const view = rescueView(plan, { dryRun })
  if (context.json) return context.print(view)
  const { newSession, title, bytes } = allVisible(view)
  context.write(
    `${dryRun ? 'Would write' : 'Wrote'} ${bytesText(bytes)} of “${title}” as the new session ${newSession}`,
  )
  if (!dryRun) context.say(`Hint: \`${resumeWords(context, newSession)}\` continues it.`)
}

function resumeWords({ machine }: Context, session: string): string {
  return forSession(wordsOf(machine, session).resume, session)
}

/** Asks before an act that cannot be undone. Without a terminal it needs `--yes`. */
export async function confirm(
  context: Context,
  flags: StorageFlags,
  { verb, says }: { verb: string; says: string },
): Promise<void> {
  if (flags.yes === true) return
  if (!context.interactive)
    throw new Failure('usage', `\`${verb}\` needs \`--yes\` when there is no terminal to ask.`, {
      hint: `Run \`retake ${verb} --dry-run\` first to see what it would do.`,
    })
  context.say(says)
  if (await askYesNo('Continue?', new AbortController().signal)) return
  throw new Failure('interrupted', 'Nothing was changed.')
}

/** Opens the project only if Retake has data about it. Its sessions may be deleted. */
export function openKept(context: Context): Project {
  const { machine, wanted } = context
  const from = wanted.project ?? machine.places.cwd
  const path =
    wanted.session === null
      ? (wanted.project ?? findProject(machine, from) ?? from)
      : readSession(machine, wanted).report.project
  const project = openKnownProject(machine, path)
  if (project !== null) return project
  throw new Failure('not-found', `Retake has no data about ${path ?? 'this session'}.`)
}
