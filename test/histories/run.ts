/**
 * `npm run test:histories`: plays random histories, one per seed, and prints the wrong ones. Every
 * minute and at the end it prints a summary with the next seed, from which another run continues.
 *
 *   --from N        the first seed; random by default
 *   --count N       how many histories (10,000)
 *   --agent         with the real agent, which takes seconds per turn
 *   --company       two sessions and a user in the same files
 *   --together N    how many at a time (6; 1 with the agent)
 *
 * `--from SEED --count 1` plays one history again.
 */
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { agentWorld } from './agent-world.ts'
import { playCompany } from './company.ts'
import { makeCompany } from './company-world.ts'
import { engineWorld } from './engine-world.ts'
import type { MakeWorld } from './run-history.ts'
import { tryHistory, type HistoryKind } from './try-histories.ts'

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: String(Math.floor(Math.random() * 2 ** 31)) },
    count: { type: 'string', default: '10000' },
    agent: { type: 'boolean', default: false },
    company: { type: 'boolean', default: false },
    together: { type: 'string' },
  },
})
const from = Number(values.from)
const end = from + Number(values.count)
const together = Number(values.together ?? (values.agent ? 1 : 6))
const make = (kind: HistoryKind): MakeWorld =>
  values.agent
    ? () => agentWorld(kind)
    : async (random) => engineWorld({ ...kind, uuid: () => random.uuid() })
const revision = execFileSync('git', ['describe', '--always', '--dirty'], {
  cwd: import.meta.dirname,
  encoding: 'utf8',
}).trim()
const wrong = new Set<number>()
const playing = new Set<number>()
let next = from
let played = 0

/** An interrupted history is played again by the run that continues. */
const summary = (): string =>
  `${revision}: ${played} histories from seed ${from}, ${wrong.size} wrong${[...wrong].map((seed) => ` ${seed}`).join('')}; next seed ${Math.min(next, ...playing)}`

async function work(): Promise<void> {
  while (next < end) {
    const seed = next++
    playing.add(seed)
    // Counted before it is shrunk, or a summary in between would say that nothing is wrong.
    const onWrong = (message: string): void => {
      wrong.add(seed)
      console.log(`WRONG history ${seed}: ${message}; shrinking`)
    }
    try {
      if (values.company) await playCompany(seed, makeCompany)
      else await tryHistory(seed, make, { onWrong })
    } catch (error) {
      const { message, stack } = error as Error
      const isShrunk = /^(history|company) /.test(message)
      console.log(
        isShrunk
          ? `${values.company ? 'WRONG' : 'SHRUNK'} ${message}`
          : `WRONG history ${seed}: ${stack}`,
      )
      wrong.add(seed)
    }
    playing.delete(seed)
    played += 1
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    console.log(summary())
    process.exit(130)
  })
const timer = setInterval(() => console.log(summary()), 60_000)
await Promise.all(Array.from({ length: together }, work))
clearInterval(timer)
console.log(summary())
process.exitCode = wrong.size === 0 ? 0 : 1
