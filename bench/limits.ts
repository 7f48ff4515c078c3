/** The minimum work of any program: the baseline for what Retake adds. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, fdatasyncSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Way } from './measure.ts'
import { nulls } from './peers/git.ts'

/** Read the changed bytes, hash them, and sync once. */
export function readHashSync(directory: string, repo: string, paths: readonly string[]): void {
  const hash = createHash('sha1')
  for (const path of paths) hash.update(readFileSync(join(repo, path)))
  const file = openSync(join(directory, 'limit'), 'w')
  writeSync(file, hash.digest())
  fdatasyncSync(file)
  closeSync(file)
}

/** Stat every file from C, without process start and without reading the list. */
export function lstatInC(directory: string, repo: string, paths: readonly string[]): Way {
  const source = fileURLToPath(new URL('lstat.c', import.meta.url))
  const compiler = 'cc'
  const program = join(directory, 'lstat')
  const list = join(directory, 'paths')
  let took = 0
  writeFileSync(list, nulls(paths))
  return {
    // Not every machine has a compiler.
    isPeer: true,
    act() {
      took = Number(execFileSync(program, [list], { cwd: repo, encoding: 'utf8' }))
    },
    before: once(() => execFileSync(compiler, ['-O2', '-o', program, source])),
    took: () => took,
  }
}

function once(act: () => unknown): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}
