/**
 * Builds the command line once per test run, as it ships. Tests and hooks start it thousands of
 * times, and a start from sources takes three times as long.
 */
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import {
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../../scripts/bundle.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
// Below node_modules, so that the agent's SDK is found, as beside an installed Retake.
const cache = join(root, 'node_modules/.cache/retake-tests')

/** Vitest runs the setup for each project of a run, and reloads this file each time. */
const once = globalThis as { retakeTestCli?: Promise<void> }

export function setup(): Promise<void> {
  return (once.retakeTestCli ??= buildCli())
}

async function buildCli(): Promise<void> {
  // Named by a hash of its sources, so that a run of the same sources reuses the build and Node's
  // compile cache.
  const made = join(cache, `cli-${await hashSources()}`)
  if (!existsSync(made)) {
    await mkdir(cache, { recursive: true })
    const draft = await mkdtemp(join(cache, 'draft-'))
    // Tests also run it as another user.
    await chmod(draft, 0o755)
    for (const { path, contents } of await bundle(root)) {
      const to = join(draft, path.slice(root.length))
      await mkdir(dirname(to), { recursive: true })
      await writeFile(to, contents)
    }
    await cp(join(root, 'bin'), join(draft, 'bin'), { recursive: true })
    await symlink(join(root, 'dist/web'), join(draft, 'dist/web'))
    await writeFile(join(draft, 'package.json'), '{ "type": "module" }\n')
    // Another run may have finished first.
    await rename(draft, made).catch(() => rm(draft, { recursive: true }))
    await removeOld(made)
  }
  process.env['RETAKE_TEST_CLI'] = join(made, 'bin/retake.js')
}

const SOURCES = ['src', 'bin', 'scripts', 'docs/schemas', 'package.json', 'package-lock.json']

async function hashSources(): Promise<string> {
  // The build links to this directory's page, so the root is part of the hash.
  const hash = createHash('sha256').update(root)
  for (const source of SOURCES) {
    const path = join(root, source)
    const below = (await stat(path)).isDirectory() ? await readdir(path, { recursive: true }) : ['']
    for (const name of below.toSorted()) {
      const content = await readFile(join(path, name)).catch(() => null)
      if (content !== null) hash.update(`${source}/${name}\0${content.length}\0`).update(content)
    }
  }
  return hash.digest('hex').slice(0, 16)
}

const DAY = 24 * 60 * 60 * 1000

async function removeOld(kept: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const path = join(cache, name)
    if (path === kept || !/^(cli|draft|retake)-/.test(name)) continue
    // Another run may have renamed its draft in the meantime.
    const made = await stat(path).catch(() => null)
    if (made !== null && Date.now() - made.mtimeMs > DAY)
      await rm(path, { recursive: true, force: true })
  }
}
