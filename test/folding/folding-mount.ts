import { execFileSync } from 'node:child_process'
import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { PYTHON } from '../house/has-need.ts'
import { scene, type Scene } from '../scene.ts'

const program = fileURLToPath(new URL('fold-fs.py', import.meta.url))

/** A scene whose project is on a file system that finds names in any case and Unicode form. */
export interface FoldingScene extends AsyncDisposable {
  readonly s: Scene
  /** The directory that the file system is mounted at. The project is in it. */
  readonly mount: string
  /** The project's files as the file system stores them. */
  readonly stored: string
}

export async function foldingScene(): Promise<FoldingScene> {
  const s = await scene({ name: 'mount/project' })
  const [mount, real] = [join(s.root, 'mount'), join(s.root, 'real')]
  mkdirSync(join(real, 'project'), { recursive: true })
  const child = s.processes.start(PYTHON, [program, real, mount], {
    cwd: s.root,
    env: { ...s.env },
  })
  let said = ''
  child.stderr!.on('data', (bytes: Buffer) => (said += bytes.toString()))
  const before = statSync(s.root).dev
  const isMounted = (): string => (statSync(mount).dev === before ? said : 'mounted')
  await expect.poll(isMounted, { timeout: 10_000 }).toBe('mounted')
  return {
    s,
    mount,
    stored: join(real, 'project'),
    async [Symbol.asyncDispose]() {
      execFileSync('fusermount', ['-u', '-z', mount])
      await s[Symbol.asyncDispose]()
    },
  }
}
