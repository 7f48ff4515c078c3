import { execFileSync } from 'node:child_process'
import { chmod, mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ErrorView, ReceiptView } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import { needs } from '../needs.ts'
import { cli } from '../scene.ts'
import { edit, write } from '../model/index.ts'
import { type Played, playedOnce } from './played.ts'
import { expectOnly, footprint } from './footprint.ts'

const two = {
  files: { a: '1\n', 'dir/c': '1\n' },
  turns: {
    hello: 'hi',
    T1: [[edit('a', '1', 'one'), write('dir/b', 'b\n'), edit('dir/c', '1', 'one')], 'done'],
  },
} as const
const session = playedOnce(two)
const done = { a: 'one\n', 'dir/b': 'b\n', 'dir/c': 'one\n' }

/** Runs Retake under a condition in which it must refuse and change nothing. */
async function refusedBy(
  p: Played,
  command: readonly string[],
  ...args: string[]
): Promise<{ exit: number; code: string; message: string }> {
  const before = await footprint(p.s)
  const [program, ...rest] = [...command, process.execPath, cli, ...args]
  const { code, stdout } = await p.s.run(program!, [...rest, '--session', p.id, '--json'])
  expectOnly(before, await footprint(p.s), { changed: [], appended: 'no' })
  const { code: name, message } = parseView<ErrorView>(stdout)
  return { exit: code, code: name, message }
}

/** A small disk mounted at a path, until the block ends. */
function mountTiny(path: string, size: string): Disposable & { grow(size: string): void } {
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', path])
  return {
    grow: (to) => void execFileSync('mount', ['-o', `remount,size=${to}`, path]),
    [Symbol.dispose]: () => void execFileSync('umount', ['-l', path]),
  }
}

needs('mount')(
  '[FT3][R3] a full disk is refused before anything is changed, and works again with space',
  async () => {
    const p = await session()
    const data = p.s.env['XDG_DATA_HOME']!
    using disk = mountTiny(data, '64k')
    expect(await p.refused('undo')).toMatchObject({
      exit: 1,
      code: expect.stringMatching(/disk-full|no-space/),
    })
    expect(await p.s.retake('log')).toMatchObject({ code: 0 })
    expect(await p.s.retake('status')).toMatchObject({ code: 0 })
    disk.grow('64m')
    await p.run('undo')
    expect(await p.files()).toMatchObject({ a: '1\n', 'dir/c': '1\n' })
  },
)

needs('mount')('[FT3] so is a full disk below the project', async () => {
  const p = await session()
  const { project } = p.s
  const tiny = join(p.s.root, 'tiny')
  await mkdir(tiny)
  execFileSync('cp', ['-a', `${project}/.`, tiny])
  using disk = mountTiny(project, '2m')
  execFileSync('cp', ['-a', `${tiny}/.`, project])
  expect(await p.refused('undo')).toMatchObject({ exit: 1, code: 'no-space' })
  disk.grow('64m')
  await p.run('undo')
  await p.run('redo')
  expect(await p.files()).toMatchObject(done)
})

needs(
  'root',
  'readable-clone',
  'prlimit',
)(
  '[FT5][R3] undo refuses as a whole, and says why, without permission for one of its files',
  async () => {
    const p = await session()
    const nobody = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
    execFileSync('chown', ['-R', '65534:65534', p.s.root])
    await chmod(join(p.s.project, 'dir'), 0o555)
    const readOnly = await refusedBy(p, nobody, 'undo')
    expect(readOnly).toMatchObject({
      exit: 1,
      code: 'not-writable',
      message: expect.stringMatching(/dir\/b.*dir\/c/),
    })

    await chmod(join(p.s.project, 'dir'), 0o755)
    execFileSync('chown', ['0:0', join(p.s.project, 'a')])
    expect(await refusedBy(p, nobody, 'undo')).toMatchObject({ exit: 1, code: 'other-owner' })
    execFileSync('chown', ['65534:65534', join(p.s.project, 'a')])

    // The transcript cannot be appended to, so the files stay too.
    const { path } = await p.agent.transcript(p.id)
    await chmod(path, 0o444)
    expect(await refusedBy(p, nobody, 'undo')).toMatchObject({ exit: 1, code: 'no-permission' })
    await chmod(path, 0o600)

    // The store cannot be created.
    await rm(join(p.s.env['XDG_DATA_HOME']!, 'retake'), { recursive: true, force: true })
    await chmod(p.s.env['XDG_DATA_HOME']!, 0o555)
    expect(await refusedBy(p, nobody, 'undo')).toMatchObject({ exit: 1, code: 'no-permission' })
    await chmod(p.s.env['XDG_DATA_HOME']!, 0o700)

    expect((await refusedBy(p, ['prlimit', '--fsize=1000'], 'undo')).exit).toBe(1)

    execFileSync('chown', ['-R', '0:0', p.s.root])
    const receipt: ReceiptView = await p.run('undo')
    expect(receipt.filesReverted).toEqual(['a', 'dir/b', 'dir/c'])
  },
)

needs('root', 'readable-clone')(
  '[FT5] undo leaves a file that it cannot read, and says how to change that',
  async () => {
    const p = await session()
    execFileSync('chown', ['-R', '65534:65534', p.s.root])
    await chmod(join(p.s.project, 'a'), 0o000)
    const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups']
    const args = [...nobody, process.execPath, cli, 'undo', '--session', p.id, '--json']
    const { code, stdout } = await p.s.run('setpriv', args)
    const receipt = parseView<ReceiptView>(stdout)
    expect({ code, reverted: receipt.filesReverted }).toEqual({
      code: 0,
      reverted: ['dir/b', 'dir/c'],
    })
    expect(receipt.left).toMatchObject([{ path: 'a', why: expect.stringContaining('chmod u+r') }])
    await chmod(join(p.s.project, 'a'), 0o644)
    execFileSync('chown', ['-R', '0:0', p.s.root])
    expect(await p.s.files()).toMatchObject({ a: 'one\n', 'dir/c': '1\n' })
  },
)

needs('mount')(
  '[FT5] undo leaves files that a mounted file system hides, and names them',
  async () => {
    const p = await session()
    using _ = mountTiny(join(p.s.project, 'dir'), '1m')
    const { left, filesReverted } = await p.run('undo')
    expect(filesReverted).toEqual(['a'])
    expect(left).toMatchObject(
      ['dir/b', 'dir/c'].map((path) => ({ path, kind: 'other-file-system' })),
    )
  },
)

needs('chattr')('[FT5] undo refuses as a whole if one file is immutable', async () => {
  const p = await session()
  execFileSync('chattr', ['+i', join(p.s.project, 'dir/c')])
  try {
    expect(await refusedBy(p, [], 'undo')).toMatchObject({ exit: 1, code: 'no-permission' })
  } finally {
    execFileSync('chattr', ['-i', join(p.s.project, 'dir/c')])
  }
})

needs('prlimit')(
  '[FT6][R3] running out of file descriptors at any point does all or nothing',
  async () => {
    const p = await session()
    const before = await p.files()
    const undone = { a: '1\n', 'dir/c': '1\n' }
    for (const limit of [24, 28, 32, 36]) {
      const args = [`--nofile=${limit}`, process.execPath, cli, 'undo', '--session', p.id]
      const { code } = await p.s.run('prlimit', args)
      const { '.staged': _, '.untracked': __, ...files } = await p.files()
      if (code === 0) expect(files).toEqual(undone)
      else expect(await p.files(), `at ${limit}`).toEqual(before)
      if (code === 0) await p.reset()
    }
  },
)

test('[FT19][S7] a path that became a link to elsewhere is not followed', async () => {
  const p = await session()
  const outside = join(p.s.root, 'outside')
  await mkdir(outside)
  await writeFile(join(outside, 'b'), 'b\n')
  await writeFile(join(outside, 'c'), 'one\n')
  await rm(join(p.s.project, 'dir'), { recursive: true })
  await symlink(outside, join(p.s.project, 'dir'))
  const { filesReverted, left } = await p.run('undo')
  expect(filesReverted).toEqual(['a'])
  expect(left.map(({ path, kind }) => [path, kind])).toEqual([
    [join(p.s.project, 'dir/b'), 'outside'],
    [join(p.s.project, 'dir/c'), 'outside'],
  ])
  const { stdout } = await p.s.run('sh', ['-c', 'cat ../outside/b ../outside/c; ls ../outside'])
  expect(stdout).toBe('b\none\nb\nc\n')

  // Only the last part of the path: the link is the user's, and its target is not written.
  await p.reset()
  await rm(join(p.s.project, 'a'))
  await symlink(join(outside, 'c'), join(p.s.project, 'a'))
  expect(await p.refused('undo')).toMatchObject({ exit: 4, code: 'conflict' })
  await p.run('undo', '--on-conflict', 'keep-mine')
  expect(await p.files()).toMatchObject({ a: { link: join(outside, 'c') }, 'dir/c': '1\n' })
})
