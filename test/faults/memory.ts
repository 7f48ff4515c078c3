import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { PieceResult } from './part.ts'

/** Finished pieces, stored outside git, so that an interrupted run can continue. */
export interface Memory {
  readonly path: string
  results(): PieceResult[]
  add(result: PieceResult): void
  forget(): void
}

/** One file per clone. */
export function memoryOf(root: string): Memory {
  const key = createHash('sha256').update(root).digest('hex').slice(0, 12)
  const path = join(tmpdir(), 'retake-faults', `${key}.jsonl`)
  return {
    path,
    results: () => readLines(path),
    // One write per result, because several shards may append at the same time.
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
