/**
 * `npm run test:faults`: tries every fault of the goals R1 to R15 and R20 at full length. Writes a
 * table of tries and survivals to the terminal and to docs/reports/faults.md.
 *
 *   --more          the largest numbers
 *   --only R6       one goal, or one part by its name; several with commas
 *   --shard 1/2     every second piece; another process or machine does the rest
 *   --seed N        other random choices; a continued run keeps its seed
 *   --afresh        discard finished pieces
 *   --runs N        a trial with N tries per part: saves no results and writes no report
 *   --piece P       only this piece, as named by a failure; saves no results
 *   --report        only print the table and write the report of finished pieces
 *   --list          list the parts
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { setup } from '../house/built-cli.ts'
import { memoryOf } from './memory.ts'
import type { Part, PieceResult } from './part.ts'
import { rowsOf, tableOf, writeReport } from './report.ts'
import { tryPiece } from './try-piece.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const { values } = parseArgs({
  options: {
    more: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    shard: { type: 'string', default: '1/1' },
    seed: { type: 'string' },
    afresh: { type: 'boolean', default: false },
    runs: { type: 'string' },
    piece: { type: 'string' },
    report: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
  },
})

// Test the build that ships; the parts read its path when they load, hence the late import.
await setup()
const { endParts, parts } = await import('./parts/index.ts')

// Remove worlds and mounts when stopped; the next run continues with the remaining pieces. Errors
// of the interrupted piece are not findings.
let isStopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    isStopping = true
    void endParts().finally(() => process.exit(130))
  })

const memory = memoryOf(root)
if (values.afresh) memory.forget()
const isTrial = values.runs !== undefined || values.piece !== undefined
const before = memory.results()
const seed = Number(values.seed ?? before[0]?.seed ?? Date.now() % 1_000_000)
const only = values.only.split(',').filter(Boolean)
const chosen = parts.filter(
  ({ name, goal }) => only.length === 0 || only.includes(name) || only.includes(goal),
)
const [shard, shards] = values.shard.split('/').map(Number) as [number, number]
const revision = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root })
  .toString()
  .trim()
const trials: PieceResult[] = []

if (chosen.length === 0)
  throw new Error(`No part is called ${values.only}; --list tells their names.`)
if (values.list) for (const part of parts) console.log(`${part.goal} ${part.name}: ${part.fault}`)
else {
  if (!values.report) {
    console.log(`seed ${seed}`)
    try {
      // The first piece of every part before any second one, so that an interrupted run has tried
      // everything.
      const most = Math.max(...chosen.map(({ pieces }) => pieces))
      for (let piece = 0; piece < most; piece += 1)
        for (const part of chosen) await tryPart(part, piece)
    } finally {
      await endParts()
    }
  }
  const rows = rowsOf(isTrial ? chosen : parts, isTrial ? trials : memory.results(), seed)
  console.log(`\n${tableOf(rows)}\n`)
  if (!isTrial) await writeReport(root, rows, { seed, results: memory.results() })
  const bad = rows.filter(({ state, survived, tried }) => state !== 'unable' && survived < tried)
  process.exitCode = bad.length === 0 ? 0 : 1
}

async function tryPart(part: Part, piece: number): Promise<void> {
  const why = part.unable?.() ?? null
  if (why !== null) {
    if (piece === 0) console.log(`${part.goal} ${part.name}: not on this machine: ${why}`)
    return
  }
  const number = values.more ? (part.more ?? part.usual) : part.usual
  const pieces = values.runs === undefined ? part.pieces : 1
  if (piece >= pieces) return
  if (values.piece !== undefined && piece !== Number(values.piece)) return
  if (values.piece === undefined && piece % shards !== shard - 1) return
  if (!isTrial && isFinished(part, piece)) return
  const runs = Math.ceil(Number(values.runs ?? number ?? 0) / pieces)
  const result = await tryPiece(part, { seed, piece, pieces, runs, revision })
  if (isStopping) return
  if (isTrial) trials.push(result)
  else memory.add(result)
  tell(part, result)
}

/** Reads the file again, because another process may have finished it. */
function isFinished({ name }: Part, piece: number): boolean {
  return memory
    .results()
    .some((result) => result.part === name && result.piece === piece && result.seed === seed)
}

function tell({ goal, name }: Part, result: PieceResult): void {
  const { piece, pieces, tried, survived, seconds } = result
  console.log(
    `${goal} ${name} ${piece + 1}/${pieces}: ${survived} of ${tried} survived, ${seconds.toFixed(1)} s`,
  )
  for (const failure of result.failures) console.log(`  FAILED ${failure}`)
  if (result.failures.length > 0)
    console.log(
      `  again: npm run test:faults -- --only ${name} --seed ${seed} --piece ${piece}${values.more ? ' --more' : ''}`,
    )
}
