/**
 * Increments the number in the project's file `count` repeatedly, each time as an operation under
 * the lock: `count-up.ts WORLD TIMES`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileSteps } from './steps.ts'
import { durableDisk, pinRoot } from '../../src/disk/index.ts'
import { applyPlan, recover } from '../../src/journal/index.ts'
import { putContent, takeWriter } from '../../src/store/index.ts'
import type { ProjectPath, Value } from '../../src/timeline/index.ts'
import { worldAt } from './world.ts'

const world = worldAt(process.argv[2]!)
const store = world.open()

for (let done = 0; done < Number(process.argv[3]);) {
  const writer = await takeWriter(store).catch(() => null)
  // Timed out after five seconds because others took the lock; retry.
  if (writer === null) continue
  const root = pinRoot(durableDisk, world.project)
  const journal = {
    store,
    root,
    writer,
    commit: () => {},
    now: () => Date.now(),
    newTag: () => `${process.pid}-${done}`,
    conversations: fileSteps,
    reserve: 0,
  }
  await recover(journal)
  const text = readFileSync(join(world.project, 'count'), 'utf8')
  const outcome = await applyPlan(journal, {
    verb: 'count',
    session: String(process.pid),
    details: null,
    changes: [
      { path: 'count' as ProjectPath, pre: value(text), post: value(`${Number(text) + 1}\n`) },
    ],
  })
  if (outcome.kind === 'done' && outcome.kept.length === 0) done += 1
  root.close()
  writer.release()
}
store.close()

function value(text: string): Value {
  return { kind: 'file', content: putContent(store, Buffer.from(text)), mode: 0o644 }
}
