import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/**
 * The real Codex: `TEST_CODEX`, else the one on the PATH. It is not a dependency, because its
 * package has 170 MB. Null if there is none.
 */
export function findCodexBinary(): string | null {
  const given = process.env['TEST_CODEX']
  if (given !== undefined) return given
  for (const directory of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(directory, 'codex')
    if (existsSync(path)) return nativeOf(realpathSync(path))
  }
  return null
}

/** The package starts a native program, which is faster and obeys signals itself. */
function nativeOf(path: string): string {
  if (!path.endsWith('.js')) return path
  const around = join(dirname(path), '..')
  const roots = [join(around, 'vendor'), join(around, '..')]
  for (const root of roots.filter(existsSync)) {
    const found = readdirSync(root, { recursive: true, encoding: 'utf8' }).find((name) =>
      /vendor\/[^/]+\/(codex|bin)\/codex$|^[^/]+\/(codex|bin)\/codex$/.test(name),
    )
    if (found !== undefined) return join(root, found)
  }
  return path
}
