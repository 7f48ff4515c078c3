import type { Belonging } from '../../session-file.ts'
import { isCompressed, readMeta, type HistoryBase } from '../rows/index.ts'
import { readFirstRow } from './first-row.ts'
import { metaOf, readShelf, type CodexFile } from './shelf.ts'

/** The thread's rollouts, those that it continues, and those of its subagents. */
export function belongingsOf(home: string, { id, path, others }: CodexFile): Belonging[] {
  const shelf = readShelf(home)
  const own = [...others.map((other) => other.path), path]
  const found = new Set(own)
  const older: string[] = []
  for (const from of own)
    for (let base = baseOf(from); base !== null;) {
      const file = shelf.byRollout.get(base.rollout)
      if (file === undefined || found.has(file.path)) break
      found.add(file.path)
      older.push(file.path)
      base = baseOf(file.path)
    }
  const agents = [...shelf.byRollout.values()].flatMap((file) =>
    metaOf(file.path)?.parent === id ? [file.path] : [],
  )
  const all: Belonging[] = [
    ...own.map((each) => ({ role: 'transcript' as const, path: each })),
    ...older.map((each) => ({ role: 'beside' as const, path: each })),
    ...agents.map((each) => ({ role: 'agent' as const, path: each })),
  ]
  // `forget` could not blank single turns in a copy that is compressed.
  return all.filter((each) => !isCompressed(each.path))
}

function baseOf(path: string): HistoryBase | null {
  const row = readFirstRow(path)
  return row === null ? null : (readMeta(row)?.base ?? null)
}
