/**
 * Compares the reader with the real agent on all handmade files and on COUNT generated variants,
 * starting at SEED.
 *
 *   node test/reader/resume-corpus.long.ts [COUNT] [SEED]
 */
import { playBaseSessions } from './base-sessions.ts'
import {
  compareAll,
  compareMeasured,
  compareVariant,
  describeDifference,
  measuredCases,
} from './corpus.ts'
import { openProbe } from './probe.ts'

const runs = Number(process.argv[2] ?? 500)
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000_000)

await using probe = await openProbe()
const bases = await playBaseSessions(probe)
const measured = measuredCases().map((each) => () => compareMeasured(probe, each))
const variants = Array.from(
  { length: runs },
  (_, index) => () => compareVariant(probe, bases, seed + index),
)
console.log(`${measured.length} measured files, ${runs} variants from seed ${seed} on`)
const differences = await compareAll([...measured, ...variants], (done, different) => {
  if (done % 50 === 0) console.log(`${done} files, ${different} different`)
})
for (const difference of differences) console.log(describeDifference(difference))
console.log(`${differences.length} of ${measured.length + runs} files are read otherwise`)
process.exitCode = differences.length === 0 ? 0 : 1
