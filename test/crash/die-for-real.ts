/**
 * Carries out one case and kills itself at one call: `die-for-real.ts WORLD CASE RUN CALL`. Nothing
 * of this process outlives it, no `finally`, no close of the database.
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
