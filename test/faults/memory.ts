import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { PieceResult } from './part.ts'

/** Finished pieces, outside of git, so that a run that was stopped goes on where it was. */
export interface Memory {
  readonly path: string
  results(): PieceResult[]
  add(result: PieceResult): void
  forget(): void
}

/** Other clones on the same machine have their own. */
export function memoryOf(root: string): Memory {
  const key = createHash('sha256').update(root).digest('hex').slice(0, 12)
  const path = join(tmpdir(), 'retake-faults', `${key}.jsonl`)
  return {
    path,
    results: () => readLines(path),
    // One write each: several shards may write at the same time.
    add(result) {
      mkdirSync(dirname(path), { recursive: true })
      appendFileSync(path, `${JSON.stringify(result)}\n`)
    },
    forget: () => rmSync(path, { force: true }),
  }
}

function readLines(path: string): PieceResult[] {
  try {
    const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean)
    return lines.map((line) => JSON.parse(line) as PieceResult)
  } catch {
    return []
  }
}
