import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A test that imports one of these starts the real agent or a browser. */
const HEAVY = new Set([
  'test/agent/claude-binary.ts',
  'test/agent/codex.ts',
  'test/web/chromium.ts',
])

/** Test files below `root` that import the real agent or a browser, directly or indirectly. */
export function findHeavyTests(root: string): string[] {
  const known = new Map<string, boolean>()
  const isHeavy = (path: string): boolean => {
    const before = known.get(path)
    if (before !== undefined) return before
    // Imports can be circular.
    known.set(path, false)
    const heavy = HEAVY.has(path) || importsOf(root, path).some(isHeavy)
    known.set(path, heavy)
    return heavy
  }
  return globSync('test/**/*.test.ts', { cwd: root }).filter(isHeavy)
}

function importsOf(root: string, path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8')
  // Type-only imports load nothing.
  const found = text.matchAll(/^(?:import|export)(?! type)[^'"]*?from '(\.[^']+)'/gm)
  return [...found]
    .map(([, to]) => join(dirname(path), to!))
    .filter((to) => existsSync(join(root, to)))
}
