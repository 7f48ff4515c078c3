import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const disposableStack = fileURLToPath(new URL('../../scripts/disposable-stack.ts', import.meta.url))
/** Bundled once, also if several ask at the same time. */
const made = new Map<string, Promise<string>>()

/**
 * Bundles a program of tests: from sources each start takes three times as long, and Node 22 does
 * not know `using`.
 */
export function bundled(source: URL): Promise<string> {
  const known = made.get(source.href) ?? bundle(source)
  made.set(source.href, known)
  return known
}

async function bundle(source: URL): Promise<string> {
  const directory = mkdtempSync(join(tmpdir(), 'retake-bundled-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const outfile = join(directory, `${basename(source.pathname, '.ts')}.mjs`)
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.18',
    inject: [disposableStack],
    logLevel: 'error',
  })
  return outfile
}
