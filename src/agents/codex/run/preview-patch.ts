import { resolve } from 'node:path'
import { listOf, textOf } from './run-items.ts'
import { objectOf } from './rpc.ts'

/** What a patch of one file would make of it; null if it changes several files or does not fit. */
export function previewPatch(
  { input }: { readonly input: unknown },
  cwd: string,
  read: (path: string) => string | null | undefined,
): { before: string; after: string } | null {
  const [change, ...more] = listOf(objectOf(input)['changes'])
  if (change === undefined || more.length > 0) return null
  const before = read(resolve(cwd, textOf(change['path'])))
  if (before === undefined) return null
  const diff = textOf(change['diff'])
  const type = objectOf(change['kind'])['type']
  if (type === 'add') return { before: before ?? '', after: diff }
  if (before === null) return null
  if (type === 'delete') return { before, after: '' }
  const after = applyDiff(before, diff)
  return after === null ? null : { before, after }
}

const HUNK = /^@@ -(\d{1,9})(?:,\d{1,9})? \+\d{1,9}(?:,\d{1,9})? @@/

/** Null if the old lines are not where the unified diff has them. */
export function applyDiff(before: string, diff: string): string | null {
  const lines = before.split('\n')
  const made: string[] = []
  let at = 0
  const body = diff.endsWith('\n') ? diff.slice(0, -1) : diff
  for (const line of body.split('\n')) {
    const head = HUNK.exec(line)
    if (head !== null) {
      const start = Math.max(0, Number(head[1]) - 1)
      made.push(...lines.slice(at, start))
      at = start
    } else if (line.startsWith('+')) made.push(line.slice(1))
    else if (line.startsWith('-') || line.startsWith(' ')) {
      if (lines[at] !== line.slice(1)) return null
      if (line.startsWith(' ')) made.push(lines[at]!)
      at += 1
    }
  }
  return [...made, ...lines.slice(at)].join('\n')
}
