/**
 * Runs one case and kills its own process at one call: `die-for-real.ts WORLD CASE RUN CALL`. No
 * `finally` runs, and the database is not closed.
 */
import { applyPlan } from '../../src/journal/index.ts'
import { cases } from './cases.ts'
import { live, planOf, putContents, stage } from './stage.ts'
import { worldAt } from './world.ts'

const [path, index, run, at] = process.argv.slice(2)
const scenery = { stage: stage(worldAt(path!)), case: cases(Number(run))[Number(index)]! }
const plan = planOf(scenery)
await live(
  scenery.stage,
  [{ kind: 'die', at: Number(at) }],
  (journal) => applyPlan(journal, plan),
  {
    prepare: (store) => putContents(store, scenery.case),
    onDeath: () => process.kill(process.pid, 'SIGKILL'),
  },
)
