import { spawnSync } from 'node:child_process'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlantedBug } from './bug.ts'
import type { Finding } from './findings.ts'
import type { Outcome } from './run-tests.ts'
import { repository } from './tree.ts'

export function isCaught({ outcome }: Finding): boolean {
  return outcome.kind === 'red' || outcome.kind === 'hangs'
}

/** The outcome of a test run, in words. */
export function wordsOf(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'green':
      return `survived ${outcome.tests} tests`
    case 'red':
      return outcome.test
    case 'hangs':
      return `hangs${outcome.test === null ? '' : `: ${outcome.test}`}`
    case 'broken':
      return `nothing was proved:\n${outcome.says}`
  }
}

export interface Tried {
  readonly bug: PlantedBug
  readonly found: Finding
}

/** Writes all results to docs/reports/planted.md and prints them. */
export async function writeReport(tried: readonly Tried[]): Promise<void> {
  const rows = tried.map(({ bug, found }) => [
    bug.id,
    bug.file.split('/')[1]!,
    bug.breaks,
    isCaught(found) ? wordsOf(found.outcome) : '**not caught**',
    found.seconds.toFixed(1),
  ])
  const head = [
    ['bug', 'room', 'what it breaks', 'caught by', 'seconds'],
    ['---', '---', '---', '---', '--:'],
  ]
  const table = [...head, ...rows].map((row) => `| ${row.map(inCell).join(' | ')} |`).join('\n')
  const caught = tried.filter(({ found }) => isCaught(found)).length
  const hanging = tried.filter(({ found }) => found.outcome.kind === 'hangs').length
  const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8')) as {
    version: string
  }
  const report = `# Planted bugs

Made by \`npm run test:planted\` on ${new Date().toISOString().slice(0, 10)}: Retake ${version}, Node ${process.versions.node},
${process.platform} ${process.arch}.

Each line is a bug that was planted alone in a copy of the sources, and the first test that failed because of it.
The tests are those of \`npm test\`; without a planted bug all of them pass. **${caught} of ${tried.length} are caught**${hanging === 0 ? '' : `, ${hanging} of them by a test that timed out`}.
The list is \`test/planted/bugs\`.

${table}
`
  const file = join(repository, 'docs/reports/planted.md')
  await mkdir(join(repository, 'docs/reports'), { recursive: true })
  await writeFile(file, report)
  spawnSync(join(repository, 'node_modules/.bin/oxfmt'), [file], { cwd: repository })
  console.log(`\n${table}\n\n${caught} of ${tried.length} caught; docs/reports/planted.md`)
}

/** Escapes line breaks and bars, which would end a table cell. */
function inCell(text: string): string {
  return text.replaceAll('\n', ' ').replaceAll('|', '\\|')
}
