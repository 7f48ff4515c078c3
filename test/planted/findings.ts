import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlantedBug } from './bug.ts'
import type { Outcome } from './run-tests.ts'
import { repository } from './tree.ts'

export interface Finding {
  readonly outcome: Outcome
  readonly seconds: number
}

/**
 * Findings about these sources, one file per bug, so that an interrupted run can continue and
 * parallel shards do not collide.
 */
export interface Findings {
  get(bug: PlantedBug): Promise<Finding | null>
  put(bug: PlantedBug, finding: Finding): Promise<void>
  forget(): Promise<void>
}

export async function openFindings(tree: string): Promise<Findings> {
  const directory = join(tmpdir(), `retake-planted-found-${hashOf(repository)}`, tree)
  const fileOf = (bug: PlantedBug): string => join(directory, `${bug.id}-${hashOf(bug)}.json`)
  await mkdir(directory, { recursive: true })
  return {
    async get(bug) {
      const text = await readFile(fileOf(bug), 'utf8').catch(() => null)
      return text === null ? null : (JSON.parse(text) as Finding)
    },
    async put(bug, finding) {
      const draft = `${fileOf(bug)}.${process.pid}`
      await writeFile(draft, JSON.stringify(finding))
      await rename(draft, fileOf(bug))
    },
    async forget() {
      await rm(directory, { recursive: true, force: true })
      await mkdir(directory, { recursive: true })
    },
  }
}

function hashOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12)
}
