import { cp, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundle } from '../scripts/bundle.ts'
import type { Scene } from '../test/scene.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The package as npm installs it, without the page. */
export async function installPackage(s: Scene): Promise<string> {
  const directory = join(s.root, 'installed')
  for (const { path, contents } of await bundle(root)) {
    const to = join(directory, relative(root, path))
    await mkdir(dirname(to), { recursive: true })
    await writeFile(to, contents)
  }
  await cp(join(root, 'bin'), join(directory, 'bin'), { recursive: true })
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }\n')
  return join(directory, 'bin/retake.js')
}
