import { createHash } from 'node:crypto'
import { cp, mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test, vi } from 'vitest'
import { type Scene, scene } from '../../scene.ts'
import { reportAttack } from '../report-attack.ts'

vi.setConfig({ testTimeout: 1_800_000 })

const repository = fileURLToPath(new URL('../../../', import.meta.url))
const SOURCES = [
  'src', 'scripts', 'bin', 'docs/coverage.md', 'docs/schemas', 'vite.config.ts', 'package.json',
  'package-lock.json', 'tsconfig.base.json', 'tsconfig.json', 'tsconfig.web.json', 'README.md', 'LICENSE',
] // prettier-ignore

/** Builds the sources in a separate directory and returns the hash of each file. */
async function build(s: Scene, name: string): Promise<{ at: string; sums: Map<string, string> }> {
  const at = join(s.root, name)
  await mkdir(join(at, 'docs'), { recursive: true })
  for (const source of SOURCES)
    await cp(join(repository, source), join(at, source), { recursive: true })
  await symlink(join(repository, 'node_modules'), join(at, 'node_modules'))
  const { code, stderr } = await s.run(process.execPath, ['scripts/build.ts'], {
    cwd: at,
    timeoutMs: 600_000,
  })
  expect(code, stderr).toBe(0)
  const sums = new Map<string, string>()
  for (const entry of await readdir(join(at, 'dist'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    const sum = createHash('sha256').update(await readFile(path))
    sums.set(path.slice(at.length + 1), sum.digest('hex'))
  }
  return { at, sums }
}

/** Everything that may be in the package, without the hashes in names. */
const ALLOWED = [
  /^(README\.md|LICENSE)$/,
  /^package\.json$/,
  /^bin\/retake\.js$/,
  /^dist\/(cli|scan-worker|read-ahead-worker)\.js$/,
  /^dist\/(reading|command|observe)\.cjs$/,
  /^dist\/chunks\/[\w.-]+\.js$/,
  /^dist\/(LICENSES\.txt|sbom\.cdx\.json)$/,
  /^dist\/web\/(index\.html|icon\.svg)$/,
  /^dist\/web\/assets\/[\w.-]+\.(js|css|svg|woff2)$/,
]

test('[S17] two builds are identical byte for byte, and the package contains only what it should', async () => {
  await using s = await scene()
  const first = await build(s, 'first')
  const second = await build(s, 'another-place')
  expect(Object.fromEntries(second.sums)).toEqual(Object.fromEntries(first.sums))
  expect(first.sums.size).toBeGreaterThan(30)

  const packed = await s.run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: first.at,
    timeoutMs: 120_000,
  })
  const [{ files = [] } = {}] = JSON.parse(packed.stdout) as { files?: { path: string }[] }[]
  const paths = files.map(({ path }) => path)
  expect(paths.filter((path) => !ALLOWED.some((allowed) => allowed.test(path)))).toEqual([])
  expect(paths).toEqual(expect.arrayContaining([...first.sums.keys()]))
  // No path of the machine that built it.
  for (const path of paths) {
    const text = await readFile(join(first.at, path), 'latin1')
    expect(text.includes(s.root) || text.includes(repository), path).toBe(false)
  }
  const tried = first.sums.size + paths.length
  const attack =
    'files that differ between two builds in two directories, and files that should not be in the package'
  reportAttack({ goals: 'S17', attack, tried, held: tried })
})
