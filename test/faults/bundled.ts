import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const made = new Map<string, string>()

/**
 * Bundles a program that starts a thousand times; from sources each start takes three times as
 * long.
 */
export async function bundled(source: URL): Promise<string> {
  const known = made.get(source.href)
  if (known !== undefined) return known
  const directory = mkdtempSync(join(tmpdir(), 'retake-bundled-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const outfile = join(directory, `${basename(source.pathname, '.ts')}.mjs`)
  await build({
    entryPoints: [fileURLToPath(source)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  made.set(source.href, outfile)
  return outfile
}
