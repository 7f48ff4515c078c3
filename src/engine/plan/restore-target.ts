import { Failure } from '#failure'
import {
  restoreParts,
  type Contents,
  type Ledger,
  type ProjectPath,
  type Target,
  type Value,
} from '#timeline'
import { inspectPresent, valueAt, type Project } from '../project/index.ts'
import type { ResolvedCommand, ReadSession } from '../session/index.ts'

type Restore = Extract<ResolvedCommand, { verb: 'restore' }>

/** Single files as they were after a turn, or one present file with some parts restored. */
export function restoreTarget(
  project: Project,
  session: ReadSession,
  asked: Restore,
  known: { readonly contents: Contents; readonly ledger: Ledger },
): Target {
  if (asked.parts !== undefined) return partsTarget(project, session, asked, known)
  const values = new Map<ProjectPath, Value>()
  let seq = 0
  for (const path of asked.paths) {
    const { value, last } = findValue(project, session, path, asked)
    values.set(path, value)
    seq = Math.max(seq, last?.seq ?? 0)
  }
  return { seq, values }
}

/**
 * Moves no cell: a turn with one part restored is still in, and its undo finds that part already as
 * it wants it.
 */
function partsTarget(
  project: Project,
  session: ReadSession,
  asked: Restore,
  { contents, ledger }: { readonly contents: Contents; readonly ledger: Ledger },
): Target {
  const [path, more] = asked.paths
  if (path === undefined || more !== undefined)
    throw new Failure('usage', 'Parts can be restored in one file at a time.')
  const { value: old } = findValue(project, session, path, asked)
  const now = inspectPresent(project, path, contents)
  const value = restoreParts(contents, { old, now }, new Set(asked.parts))
  if (value === null)
    throw new Failure('plan-stale', `${path} changed at that place since you looked at it.`, {
      hint: 'Nothing was changed. Look at the difference again, then choose.',
      details: { changed: { head: null, files: [path] } },
    })
  return { seq: ledger.seq, values: new Map([[path, value]]), chosen: true }
}

function findValue(
  project: Project,
  { tree }: ReadSession,
  path: ProjectPath,
  { at }: Restore,
): NonNullable<ReturnType<typeof valueAt>> {
  const found = valueAt(project, tree, path, { turn: at })
  if (found !== null) return found
  throw new Failure('path-not-known', `No turn of this session changed ${path}.`, {
    hint: 'Only files that the agent changed can be restored.',
  })
}
