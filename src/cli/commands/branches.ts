import { findBranch, findTurn, readBranches, readCheckpoints, renameOf, switchTo } from '#engine'
import { Failure } from '#failure'
import { branchesView, checkpointsView } from '#protocol'
import type { Context } from '../context.ts'
import { branchesText } from '../text/branches-text.ts'
import { checkpointsText } from '../text/checkpoints-text.ts'
import { allVisible } from '../visible.ts'
import { change, type ChangeFlags } from './change.ts'

export function branches(context: Context): void {
  const report = readBranches(context.machine, context.wanted)
  if (context.json) return context.print(branchesView(report))
  context.page(branchesText(allVisible(report), context.paint, context.now))
}

export function checkpoints(context: Context): void {
  const report = readCheckpoints(context.machine, context.wanted)
  if (context.json) return context.print(checkpointsView(report))
  context.write(checkpointsText(allVisible(report), context.paint, context.now))
}

export async function switchBranch(
  context: Context,
  flags: ChangeFlags & { readonly turn?: string },
  branch: string,
): Promise<void> {
  await change(context, flags, (session) => switchTo(session, branch, flags.turn))
}

export async function branchAfter(
  context: Context,
  flags: ChangeFlags & { readonly title?: string },
  turn: string,
): Promise<void> {
  await change(context, flags, ({ tree }) => ({
    verb: 'branch',
    turn: findTurn(tree, turn),
    title: readTitle(flags.title),
  }))
}

export async function rename(
  context: Context,
  flags: ChangeFlags,
  { branch, name }: { readonly branch: string; readonly name: string },
): Promise<void> {
  const { session, asked } = renameOf(context.machine, context.wanted, { branch, name })
  await change({ ...context, wanted: { session, project: null } }, flags, () => asked)
}

export async function markBranches(
  context: Context,
  flags: ChangeFlags,
  asked: {
    readonly verb: 'branch-delete' | 'branch-archive' | 'branch-unarchive'
    readonly branches: readonly string[]
  },
): Promise<void> {
  await change(context, flags, ({ tree }) => ({
    verb: asked.verb,
    branches: asked.branches.map((text) => findBranch(tree, text).id),
  }))
}

export async function makeCanonical(
  context: Context,
  flags: ChangeFlags,
  branch: string,
): Promise<void> {
  await change(context, flags, ({ tree }) => ({
    verb: 'branch-canonical',
    branch: findBranch(tree, branch).id,
  }))
}

export async function nameTurn(
  context: Context,
  flags: ChangeFlags & { readonly turn?: string; readonly delete?: boolean },
  name?: string,
): Promise<void> {
  await change(context, flags, ({ tree }) =>
    flags.delete === true
      ? { verb: 'checkpoint-delete', name: name ?? '' }
      : {
          verb: 'checkpoint',
          name: name ?? null,
          turn: flags.turn === undefined ? null : findTurn(tree, flags.turn),
        },
  )
}

function readTitle(text: string | undefined): string | null {
  if (text === undefined) return null
  const title = text.trim().replaceAll(/\s+/g, ' ')
  if (title === '' || title.length > 200)
    throw new Failure('usage', 'A title has from 1 to 200 characters.')
  return title
}
