import { chmod, mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { PlanView, ReceiptView } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import type { Played } from '../operations/played.ts'

/** Pretends that another version of the agent wrote the session. */
export async function pretend(p: Played, version: string): Promise<void> {
  const { path } = await p.agent.transcript(p.id)
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replaceAll(/"version":"[\d.]+"/g, `"version":"${version}"`))
}

/** A machine whose `claude` is this script, or that has none. */
export async function machineWith(p: Played, script: string | null, directory?: string) {
  const own = await mkdtemp(join(p.s.root, 'machine-'))
  const bin = directory ?? join(own, 'bin')
  const log = join(own, 'calls')
  await mkdir(bin, { recursive: true })
  if (script !== null) {
    await writeFile(join(bin, 'claude'), `#!/bin/sh\necho "$1" >> '${log}'\n${script}\n`)
    await chmod(join(bin, 'claude'), 0o755)
  }
  const run = async <T>(...args: string[]): Promise<T> => {
    const env = { PATH: `${bin}:${dirname(process.execPath)}` }
    const { code, stdout, stderr } = await p.s.retake(...args, '--session', p.id, '--json', { env })
    expect({ code, stderr, stdout: code === 0 ? '' : stdout }).toEqual({
      code: 0,
      stderr: '',
      stdout: '',
    })
    return parseView<T>(stdout)
  }
  return {
    program: join(bin, 'claude'),
    plan: (...args: string[]) => run<PlanView>(...args, '--dry-run'),
    run: (...args: string[]) => run<ReceiptView>(...args),
    /** The first argument of each call. */
    calls: async () =>
      (await readFile(log, 'utf8').catch(() => '')).split('\n').filter((line) => line !== ''),
  }
}

/** The real agent, reporting another version. */
export function calledVersion(p: Played, version: string): string {
  return `[ "$1" = --version ] && echo '${version} (Claude Code)' && exit\nexec '${p.agent.binary}' "$@"`
}
