import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PlantedBug } from './bug.ts'

export const repository = fileURLToPath(new URL('../..', import.meta.url))

const COPIED = [
  'src',
  'test',
  'bin',
  'scripts',
  'docs/coverage.md',
  'docs/schemas',
  'package.json',
  'package-lock.json',
  'rooms.ts',
  'tsconfig.base.json',
  'tsconfig.json',
  'tsconfig.web.json',
  'vite.config.ts',
  'vitest.config.ts',
]

const LATER = new Date('2100-01-01')

/** A copy of the sources for planting one bug at a time; the repository is only read. */
export interface Tree extends Disposable {
  readonly path: string
  /** Runs `use` with the bug in the source. */
  withBug<T>(bug: PlantedBug, use: () => Promise<T>): Promise<T>
}

export async function copyTree(): Promise<Tree> {
  const path = await mkdtemp(join(tmpdir(), 'retake-planted-'))
  const remove = (): void => rmSync(path, { recursive: true, force: true })
  process.once('exit', remove)
  // Some tests start programs as another user.
  await chmod(path, 0o755)
  for (const name of COPIED)
    await cp(join(repository, name), join(path, name), { recursive: true, verbatimSymlinks: true })
  // A directory of links, not a link itself, because builds of the broken sources are cached in it.
  await mkdir(join(path, 'node_modules'))
  for (const name of await readdir(join(repository, 'node_modules')))
    if (name !== '.cache' && !name.startsWith('.vite'))
      await symlink(join(repository, 'node_modules', name), join(path, 'node_modules', name))
  // Newer than all sources, so that no server rebuilds the page for every bug.
  await mkdir(join(path, 'dist/web'), { recursive: true })
  await writeFile(join(path, 'dist/web/index.html'), '<!doctype html><title>Retake</title>\n')
  await utimes(join(path, 'dist/web/index.html'), LATER, LATER)
  return {
    path,
    async withBug(bug, use) {
      const file = join(path, bug.file)
      const text = await readFile(file, 'utf8')
      await writeFile(file, plant(text, bug))
      try {
        return await use()
      } finally {
        await writeFile(file, text)
      }
    },
    [Symbol.dispose]: remove,
  }
}

/** Throws unless the text occurs exactly once: an outdated list must not count as a caught bug. */
export function plant(text: string, { id, file, find, replace }: PlantedBug): string {
  const [before, after, ...more] = text.split(find)
  if (after === undefined || more.length > 0)
    throw new Error(
      `${id}: its text stands ${more.length + (after === undefined ? 0 : 1)} times in ${file}`,
    )
  return before + replace + after
}

/** Hash of the current sources and tests; findings about others do not count. */
export async function hashOfTree(): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of ['src', 'test', 'scripts', 'bin']) {
    const names = await readdir(join(repository, folder), { recursive: true, withFileTypes: true })
    const files = names
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .filter((file) => !file.includes('/test/planted/'))
    for (const file of files.toSorted())
      hash
        .update(file.slice(repository.length))
        .update('\0')
        .update(await readFile(file))
  }
  return hash.digest('hex').slice(0, 16)
}
