/**
 * `npm run bench [-- NAME…] [--large] [--json]`: every bench, or the named ones, as Markdown or as
 * JSON; trees of 100,000 files only with `--large`. Long and noisy by nature; run it on a quiet
 * machine.
 */
import { NO_GOAL, type Figure } from './measure.ts'

const benches: Record<string, () => Promise<{ run(): Promise<Figure[]> }>> = {
  transcripts: () => import('./transcripts.ts'),
  snapshots: () => import('./snapshots.ts'),
  restore: () => import('./restore.ts'),
  undo: () => import('./undo.ts'),
  merge: () => import('./merge.ts'),
  hooks: () => import('./hooks.ts'),
  server: () => import('./server.ts'),
  web: () => import('./web.ts'),
  time: () => import('./time.ts'),
  start: () => import('./start.ts'),
}

const args = process.argv.slice(2)
const wanted = args.filter((arg) => !arg.startsWith('--'))
const unknown = wanted.filter((name) => !Object.hasOwn(benches, name))
if (unknown.length > 0) {
  console.error(
    `There is no bench ${unknown.join(', ')}. There are: ${Object.keys(benches).join(', ')}.`,
  )
  process.exit(2)
}

const results: Record<string, Figure[]> = {}
for (const name of wanted.length > 0 ? wanted : Object.keys(benches)) {
  console.error(`${name} …`)
  results[name] = await (await benches[name]!()).run()
}

if (args.includes('--json')) console.log(JSON.stringify(results, null, 2))
else
  for (const [name, figures] of Object.entries(results)) {
    console.log(`\n## ${name}\n\n| what | figure | goal | |\n|---|---|---|---|`)
    for (const { what, figure, goal, reached } of figures) {
      const verdict = goal === NO_GOAL ? '' : reached ? 'reached' : '**missed**'
      console.log(`| ${what} | ${figure} | ${goal} | ${verdict} |`)
    }
  }
