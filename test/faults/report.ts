import { execFileSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Part, PieceResult } from './part.ts'

/** One row of the table: all finished pieces of a part. */
export interface Row {
  readonly part: Part
  readonly state: 'done' | 'partly' | 'not run' | 'unable'
  readonly why: string
  readonly tried: number
  readonly survived: number
  readonly bytesLost: number
  readonly seconds: number
  readonly notes: readonly string[]
  readonly failures: readonly string[]
}

export function rowsOf(
  parts: readonly Part[],
  results: readonly PieceResult[],
  seed: number,
): Row[] {
  return parts.map((part) => {
    const own = results.filter((result) => result.part === part.name && result.seed === seed)
    const sum = (of: (result: PieceResult) => number) =>
      own.reduce((all, each) => all + of(each), 0)
    const why = part.unable?.() ?? null
    const done = new Set(own.map(({ piece }) => piece)).size
    const all = own[0]?.pieces ?? part.pieces
    return {
      part,
      state: why !== null ? 'unable' : done === 0 ? 'not run' : done < all ? 'partly' : 'done',
      why: why ?? (done > 0 && done < all ? `${done} of ${all} pieces` : ''),
      tried: sum(({ tried }) => tried),
      survived: sum(({ survived }) => survived),
      bytesLost: sum(({ bytesLost }) => bytesLost),
      seconds: sum(({ seconds }) => seconds),
      notes: gathered(own.flatMap(({ notes }) => notes)),
      failures: own.flatMap(({ failures }) => failures),
    }
  })
}

/** Sums notes: `restored: 12` and `restored: 30` become `restored: 42`. Other notes stay. */
function gathered(notes: readonly string[]): string[] {
  const sums = new Map<string, number>()
  const others: string[] = []
  for (const note of notes) {
    const [, name, number] = /^([^:]+): (\d+)$/.exec(note) ?? []
    if (name === undefined) others.push(note)
    else sums.set(name, (sums.get(name) ?? 0) + Number(number))
  }
  return [...[...sums].map(([name, sum]) => `${name}: ${inDigits(sum)}`), ...others]
}

const inDigits = (value: number): string => value.toLocaleString('en')

export function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ part, state, why, tried, survived, bytesLost, seconds }) => {
    const fault = why === '' ? part.fault : `${part.fault} (${why})`
    if (state === 'unable' || state === 'not run')
      return [part.goal, fault, state === 'unable' ? 'not possible here' : 'not run', '', '', '']
    return [
      part.goal,
      fault,
      inDigits(tried),
      inDigits(survived),
      inDigits(bytesLost),
      `${inDigits(Math.round(seconds))} s`,
    ]
  })
  return [
    ['goal', 'fault', 'tried', 'survived', 'bytes lost', 'took'],
    ['---', '---', '--:', '--:', '--:', '--:'],
    ...lines,
  ]
    .map((line) => `| ${line.join(' | ')} |`)
    .join('\n')
}

export async function writeReport(
  root: string,
  rows: readonly Row[],
  { seed, results }: { seed: number; results: readonly PieceResult[] },
): Promise<void> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    version: string
  }
  const own = results.filter((result) => result.seed === seed)
  const days = [...new Set(own.map(({ at }) => at.slice(0, 10)))].toSorted()
  const revisions = [...new Set(own.map(({ revision }) => revision))]
  const failures = rows.flatMap((row) =>
    row.failures.map((failure) => `- ${row.part.goal} ${row.part.name}: ${firstLine(failure)}`),
  )
  const notes = rows.flatMap((row) =>
    row.notes.map((note) => `- ${row.part.goal} ${row.part.name}: ${note}`),
  )
  const text = `# Faults

Made by \`npm run test:faults\` on ${days.join(' and ')}, seed ${seed}: Retake ${version} (${revisions.join(', ')}),
Node ${process.versions.node}, SQLite ${process.versions.sqlite}, ${process.platform} ${release()} ${process.arch}, ${cpus().length} cores,
${Math.round(totalmem() / 2 ** 30)} GiB, as ${process.getuid?.() === 0 ? 'root' : 'an ordinary user'}.

“Survived” means that after the fault and the next start, files and conversation were either all old or all
new, nothing else had changed, every byte that had been at a path was still there or in the store, and every
operation reported as done was done. A verifier that shares no code with Retake checked this (\`test/verifier\`).

${tableOf(rows)}

## Figures

${notes.join('\n')}

## Failures

${failures.length === 0 ? 'None.' : failures.join('\n')}
`
  await mkdir(join(root, 'docs/reports'), { recursive: true })
  await writeFile(join(root, 'docs/reports/faults.md'), text)
  execFileSync('oxfmt', ['docs/reports/faults.md'], { cwd: root })
}

function firstLine(text: string): string {
  return text.split('\n')[0]!
}
