import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { listFiles } from '#snapshots'

const options = {
  git: { excludes: '/nowhere', configs: [], home: null },
  include: [],
  most: 100_000,
  pause: () => Promise.resolve(),
}

test('[sem.A7][composer] the files of a project are those in scope; a truncated list says so', async () => {
  const root = await mkdtemp(join(tmpdir(), 'retake-list-'))
  const put = async (path: string, text = ''): Promise<void> => {
    await mkdir(join(root, path, '..'), { recursive: true })
    await writeFile(join(root, path), text)
  }
  try {
    for (const path of ['.git/HEAD', 'src/a.ts', 'src/deep/b.ts', 'out/made.js', 'notes.log'])
      await put(path)
    await put('.gitignore', 'out/\n*.log\n')
    await symlink('src', join(root, 'linked'))
    const { paths, isWhole } = await listFiles(root, options)
    // Ignored files are in scope if their directory is not ignored.
    expect([...paths].sort()).toEqual(
      [
        '.gitignore',
        'linked',
        'notes.log',
        'src/',
        'src/a.ts',
        'src/deep/',
        'src/deep/b.ts',
      ].sort(),
    )
    expect(isWhole).toBe(true)
    const cut = await listFiles(root, { ...options, most: 3 })
    expect(cut).toMatchObject({ isWhole: false })
    expect(cut.paths).toHaveLength(3)
    expect(await listFiles(join(root, 'src'), options)).toMatchObject({ isWhole: true })
    expect(await listFiles(join(root, 'gone'), options)).toEqual({ paths: [], isWhole: true })
  } finally {
    await rm(root, { recursive: true })
  }
})
