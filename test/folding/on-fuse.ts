import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PYTHON } from '../house/has-need.ts'
import { runVitest, type VolumeRun } from './volume-run.ts'

const program = fileURLToPath(new URL('fold-fs.py', import.meta.url))

/** Mounts a file system at `mount` that folds names, and stores its files in `real`. */
export async function mountFuse(real: string, mount: string): Promise<AsyncDisposable> {
  const before = statSync(mount).dev
  const child = spawn(PYTHON, [program, real, mount], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const ended = once(child, 'close')
  while (statSync(mount).dev === before) {
    if (child.exitCode !== null) throw new Error(`The file system did not start: ${said}`)
    await setTimeout(20)
  }
  return {
    async [Symbol.asyncDispose]() {
      execFileSync('fusermount', ['-u', '-z', mount], { cwd: dirname(mount) })
      await ended
    },
  }
}

export async function onFuse({ directory, files }: VolumeRun): Promise<number> {
  const [real, mount] = [join(directory, 'real'), join(directory, 'mount')]
  for (const each of [real, mount]) mkdirSync(each)
  await using _ = await mountFuse(real, mount)
  return await runVitest(files, mount)
}
