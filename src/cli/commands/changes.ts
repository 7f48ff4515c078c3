import { findTurn } from '#engine'
import type { Context } from '../context.ts'
import { change, rewindTo, type ChangeFlags, type RewindFlags } from './change.ts'
import { pathInProject, readOperationId } from './history.ts'
import { readCount } from './read-count.ts'

/** What each verb that moves files or conversation asks for. */

export async function undo(context: Context, flags: ChangeFlags, n?: string): Promise<void> {
  await change(context, flags, () => ({ verb: 'undo', count: readCount(n) }))
}

export async function redo(
  context: Context,
  flags: ChangeFlags & { readonly all?: boolean },
  n?: string,
): Promise<void> {
  await change(context, flags, () => ({
    verb: 'redo',
    count: flags.all === true ? 'all' : readCount(n),
  }))
}

export async function rewind(
  context: Context,
  flags: ChangeFlags & RewindFlags,
  turn?: string,
): Promise<void> {
  await change(context, flags, (session) => rewindTo(session, turn, flags))
}

export async function revert(
  context: Context,
  flags: ChangeFlags & { readonly off?: boolean },
  turn: string,
): Promise<void> {
  await change(context, flags, ({ tree }) => ({
    verb: 'revert',
    turn: findTurn(tree, turn),
    off: flags.off === true,
  }))
}

export async function restore(
  context: Context,
  flags: ChangeFlags & { readonly at: string },
  paths: readonly string[],
): Promise<void> {
  await change(context, flags, ({ tree }, project) => ({
    verb: 'restore',
    paths: paths.map((path) => pathInProject(context, project, path)),
    at: flags.at === '0' ? null : findTurn(tree, flags.at),
  }))
}

export async function undoOperation(
  context: Context,
  flags: ChangeFlags,
  id?: string,
): Promise<void> {
  await change(context, flags, () => ({
    verb: 'op-undo',
    operation: id === undefined ? null : readOperationId(id),
  }))
}

export { back } from './change.ts'
