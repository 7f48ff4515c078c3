/**
 * `npm run test:planted`: plants one bug at a time into a copy of the sources and runs the tests
 * that must catch it. The run fails if a bug survives, because that is a gap in the tests. It stops
 * at once if the list no longer matches the sources. Writes docs/reports/planted.md at the end.
 *
 *   npm run test:planted                     # all; continues an interrupted run
 *   npm run test:planted -- --afresh         # discards earlier findings
 *   npm run test:planted -- --shard 2/4      # every fourth; shards may run in parallel
 *   npm run test:planted -- ID…              # only these, even if already tried
 */
import { parseArgs } from 'node:util'
import type { PlantedBug } from './bug.ts'
import { bugs } from './bugs/index.ts'
import { findStale } from './check-bugs.ts'
import { openFindings, type Finding } from './findings.ts'
import { isCaught, wordsOf, writeReport, type Tried } from './report.ts'
import { LIMIT, runTests } from './run-tests.ts'
import { copyTree, hashOfTree, type Tree } from './tree.ts'

const { values, positionals: ids } = parseArgs({
  allowPositionals: true,
  options: { afresh: { type: 'boolean' }, shard: { type: 'string' } },
})
const [share = 1, shares = 1] = (values.shard ?? '1/1').split('/').map(Number)
for (const id of ids)
  if (!bugs.some((bug) => bug.id === id)) throw new Error(`There is no planted bug \`${id}\`.`)

const stale = findStale(bugs)
if (stale.length > 0)
  throw new Error(`These planted bugs do not fit the sources any more:\n${stale.join('\n')}`)

const findings = await openFindings(await hashOfTree())
if (values.afresh) await findings.forget()
const mine = bugs.filter((bug, n) =>
  ids.length > 0 ? ids.includes(bug.id) : n % shares === share - 1,
)
const todo: PlantedBug[] = []
for (const bug of mine) if (ids.length > 0 || (await findings.get(bug)) === null) todo.push(bug)
console.log(`${todo.length} to try, ${mine.length - todo.length} known from a former run`)
if (todo.length > 0) {
  using tree = await copyTree()
  await expectGreen(tree, todo)
  for (const [n, bug] of todo.entries()) {
    // Another run may have tried it in the meantime.
    if (ids.length === 0 && (await findings.get(bug)) !== null) continue
    const found = await tryBug(tree, bug)
    await findings.put(bug, found)
    console.log(`${n + 1}/${todo.length} ${bug.id}: ${wordsOf(found.outcome)} (${found.seconds} s)`)
  }
}

const tried: Tried[] = []
for (const bug of bugs) {
  const found = await findings.get(bug)
  if (found !== null) tried.push({ bug, found })
}
const missed = tried.filter(({ found }) => !isCaught(found))
for (const { bug, found } of missed)
  console.error(`NOT CAUGHT ${bug.id}: ${wordsOf(found.outcome)}`)
if (tried.length === bugs.length) await writeReport(tried)
else console.log(`${tried.length} of ${bugs.length} tried; the report is written after the last`)
process.exitCode = missed.length === 0 ? 0 : 1

/** A test that already fails would seem to catch every bug. */
async function expectGreen(tree: Tree, planted: readonly PlantedBug[]): Promise<void> {
  const groups = Map.groupBy(planted, ({ named }) => (named === undefined ? 'whole' : 'parts'))
  for (const group of groups.values()) {
    const tests = [...new Set(group.flatMap((bug) => bug.tests))]
    const names = [...new Set(group.flatMap(({ named }) => named ?? []))]
    console.log(`without a bug: ${tests.length} files`)
    const named = names.length === 0 ? {} : { named: names.join('|') }
    const outcome = await runTests(tree.path, { tests, ...named }, tests.length * LIMIT)
    if (outcome.kind !== 'green') throw new Error(`Not green without a bug: ${wordsOf(outcome)}`)
  }
}

async function tryBug(tree: Tree, bug: PlantedBug): Promise<Finding> {
  const began = performance.now()
  const limit = bug.seconds === undefined ? LIMIT : bug.seconds * 1000
  const outcome = await tree.withBug(bug, () => runTests(tree.path, bug, limit))
  return { outcome, seconds: Math.round((performance.now() - began) / 100) / 10 }
}
