/**
 * Runs a document: all commands of its blocks, from the first to the last, in one shell, in the
 * project of `retake demo` as a user would have it: `~/shop`, with its session in `~/.claude`.
 */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { durableDisk } from '#disk'
import { makeDemo } from '../../src/engine/setup/make-demo.ts'
import recorded from '../../src/cli/demo-session.json' with { type: 'json' }
import { cli, scene, type Scene } from '../scene.ts'
import type { Command } from './document.ts'

export interface Ran extends Command {
  readonly said: string
  readonly code: number
}

export interface Shop extends AsyncDisposable {
  readonly s: Scene
  readonly project: string
  readonly session: string
  readonly env: Readonly<Record<string, string>>
}

const SESSION = '3f0c9a52-7b1e-4d68-9a34-5e2f8c6d7b10'

/** The demo project in a home directory, with `retake` on the PATH. */
export async function openShop(): Promise<Shop> {
  const s = await scene()
  // Now, because five minutes ago could be yesterday, which is shown differently.
  const now = new Date(Date.now() + 5 * 60_000)
  const { project } = makeDemo(durableDisk, s.home, recorded, { session: SESSION, now })
  await rename(s.claudeDir, join(s.root, 'unused'))
  await rename(join(s.home, 'claude'), s.claudeDir)
  const programs = join(s.root, 'bin')
  await mkdir(programs)
  const script = `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`
  await writeFile(join(programs, 'retake'), script, { mode: 0o755 })
  // A terminal that draws more than ASCII. There are no colours, because the output is a pipe.
  const env = { ...s.env, TERM: 'xterm', PATH: `${programs}:${s.env['PATH']}` }
  return {
    s,
    project,
    session: SESSION,
    env,
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  }
}

const MARK = '\u0001'

/** Each command with its output, on either stream, and its exit code. */
export async function runAll(shop: Shop, commands: readonly Command[]): Promise<Ran[]> {
  // Each command sees the exit code of the previous one in `$?`.
  const script = commands
    .map(
      ({ text }, n) =>
        `printf '${MARK}'; (exit \${rc:-0})\n${text}\nrc=$?; printf '${MARK}%s' "$rc" # ${n}`,
    )
    .join('\n')
  const { stdout, stderr, code } = await shop.s.run('bash', ['-c', `exec 2>&1\n${script}`], {
    cwd: shop.project,
    env: shop.env,
    timeoutMs: 180_000,
  })
  const parts = stdout.split(MARK)
  if (parts.length !== commands.length * 2 + 1)
    throw new Error(`The shell ended early (${code}): ${stdout.slice(-2000)}${stderr}`)
  return commands.map((command, n) => ({
    ...command,
    said: parts[n * 2 + 1]!.replaceAll(shop.s.home, '/home/you').replaceAll(shop.s.root, '/run'),
    code: Number(parts[n * 2 + 2]),
  }))
}
