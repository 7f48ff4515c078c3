/** Runs all checks in parallel. */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const CHECKS = ['types', 'lint', 'knip', 'format:check']
const { scripts } = JSON.parse(
  readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
) as { scripts: Record<string, string> }

const results = await Promise.all(CHECKS.map(run))
for (const { name, code, said } of results)
  if (code !== 0) console.error(`npm run ${name}\n${said}`)
process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1

function run(name: string): Promise<{ name: string; code: number | null; said: string }> {
  const child = spawn(scripts[name]!, { shell: true })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  return new Promise((resolve) => child.once('close', (code) => resolve({ name, code, said })))
}
