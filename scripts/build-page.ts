/** Builds the page into dist/web if its sources are newer than the last build. */
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const root = fileURLToPath(new URL('..', import.meta.url))
const SOURCES = [
  'src/web',
  'src/protocol',
  'src/timeline',
  'docs/coverage.md',
  'vite.config.ts',
  'package-lock.json',
]

/** Adds the paths of the sources to `inputs` if the page is built. */
export async function buildPage(inputs = new Set<string>()): Promise<void> {
  const page = join(root, 'dist/web')
  const built = await changedAt(join(page, 'index.html'))
  const times = await Promise.all(SOURCES.map((path) => newest(join(root, path))))
  if (built > Math.max(...times)) return
  // The build takes many seconds, so say that it is running.
  process.stderr.write('The page is built from its sources, this once …\n')
  const { build } = await import('vite')
  const { default: config } = await import('../vite.config.ts')
  // Build elsewhere and rename, so that a server or a second build never sees half a page.
  const made = join(root, `dist/web-${process.pid}`)
  await mkdir(made, { recursive: true })
  // A test runner sets another NODE_ENV, which would build React's development version.
  const { NODE_ENV: before } = process.env
  process.env['NODE_ENV'] = 'production'
  try {
    await build({
      ...config,
      configFile: false,
      plugins: [...config.plugins!, collectInputs(inputs)],
      logLevel: 'error',
      build: { ...config.build, outDir: made },
    })
  } finally {
    if (before === undefined) delete process.env['NODE_ENV']
    else process.env['NODE_ENV'] = before
  }
  await rename(page, `${made}-old`).catch(() => {})
  await rename(made, page).catch(() => {})
  await rm(`${made}-old`, { recursive: true, force: true })
  await rm(made, { recursive: true, force: true })
}

function collectInputs(inputs: Set<string>): Plugin {
  return {
    name: 'collect-inputs',
    generateBundle(_, output) {
      for (const chunk of Object.values(output))
        if (chunk.type === 'chunk') for (const path of Object.keys(chunk.modules)) inputs.add(path)
    },
  }
}

async function newest(path: string): Promise<number> {
  const times = [await changedAt(path)]
  const entries = await readdir(path, { recursive: true }).catch(() => [])
  for (const entry of entries) times.push(await changedAt(join(path, entry)))
  return Math.max(...times)
}

async function changedAt(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.mtimeMs ?? 0
}
