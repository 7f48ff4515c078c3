import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Tests to run on a volume. */
export interface VolumeRun {
  /** An empty directory, which is removed afterwards. */
  readonly directory: string
  /** Arguments for vitest. */
  readonly files: readonly string[]
}

export const repository = fileURLToPath(new URL('../..', import.meta.url))

/** The command that runs these tests, for a shell or for `spawn`. */
export function vitestCommand(files: readonly string[]): readonly string[] {
  const options = ['run', '--project', 'house', '--maxWorkers=1', ...files]
  return [process.execPath, 'node_modules/vitest/vitest.mjs', ...options]
}

/** Runs tests with their scenes in a directory. Returns the exit code. */
export async function runVitest(files: readonly string[], directory: string): Promise<number> {
  const [command, ...args] = vitestCommand(files)
  const child = spawn(command!, args, {
    cwd: repository,
    env: { ...process.env, TMPDIR: directory },
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return code ?? 1
}
