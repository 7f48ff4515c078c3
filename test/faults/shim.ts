import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isOnPath } from '../house/has-need.ts'

let made: string | undefined

/** The path of the library that makes libc calls fail; compiled once per process. */
export function shim(): string {
  if (made !== undefined) return made
  const directory = mkdtempSync(join(tmpdir(), 'retake-shim-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  made = join(directory, 'shim.so')
  const source = fileURLToPath(new URL('shim.c', import.meta.url))
  // Other users must be able to load it.
  chmodSync(directory, 0o755)
  execFileSync('cc', ['-O1', '-shared', '-fPIC', '-o', made, source, '-ldl'])
  return made
}

/** Why the shim cannot be used here; null if it can. */
export function noCompiler(): string | null {
  if (process.platform !== 'linux') return 'needs Linux'
  return isOnPath('cc') ? null : 'needs a C compiler (cc)'
}
