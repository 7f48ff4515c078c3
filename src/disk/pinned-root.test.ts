import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporary } from '../../test/crash/world.ts'
import { durableDisk, type Disk } from './durable-disk.ts'
import { maxHeld, USUALLY_HELD } from './max-held.ts'
import { inDirectory, pinRoot, tryInDirectory } from './pinned-root.ts'
import { blobId, readValue } from './read-value.ts'
import { needs } from '../../test/needs.ts'

// Node has no call that creates a FIFO.
const MKFIFO = 'mkfifo'

describe('[FT19] [S9] a pinned directory', () => {
  test('is entered part by part, and never through a link', () => {
    using t = temporary()
    mkdirSync(join(t.path, 'real/deep'), { recursive: true })
    symlinkSync('real', join(t.path, 'link'))
    const root = pinRoot(durableDisk, t.path)
    expect(inDirectory(root, 'real/deep', ({ stat }) => stat.kind)).toBe('directory')
    expect(tryInDirectory(root, 'link/deep', () => 'inside')).toBeNull()
    expect(tryInDirectory(root, 'link', () => 'inside')).toBeNull()
    expect(tryInDirectory(root, 'missing', () => 'inside')).toBeNull()
    root.close()
  })

  test('[sem.A9] reaches files elsewhere by absolute paths, but only in its annexes', () => {
    using t = temporary()
    const at = (path: string): string => join(t.path, path)
    for (const path of ['project', 'annex/deep', 'annex/never', 'annexed', 'other'])
      mkdirSync(at(path), { recursive: true })
    for (const path of ['annex/deep/f', 'annexed/f', 'other/f']) writeFileSync(at(path), 'x')
    symlinkSync('../other', at('annex/link'))
    const root = pinRoot(durableDisk, at('project'))
    const never = [durableDisk.stat(Buffer.from(at('annex/never')))!]
    root.annexes.push(pinRoot(durableDisk, at('annex'), { never }))
    expect(readValue(root, at('annex/deep/f'))).toMatchObject({ kind: 'file' })
    expect(tryInDirectory(root, at('annex'), ({ stat }) => stat.kind)).toBe('directory')
    expect(readValue(root, at('annex/link/f'))).toEqual({ kind: 'absent' })
    for (const path of ['annexed/f', 'other/f']) {
      expect(readValue(root, at(path))).toEqual({ kind: 'absent' })
      expect(() => inDirectory(root, at(path), () => 'inside')).toThrow('ENOENT')
    }
    for (const path of ['annex/../other/f', 'annex/never/f', 'annex/.git/f'])
      expect(() => readValue(root, `${t.path}/${path}`), path).toThrow()
    root.close()
  })

  needs('linux')('stays the same directory when another takes its name', () => {
    using t = temporary()
    mkdirSync(join(t.path, 'project/dir'), { recursive: true })
    mkdirSync(join(t.path, 'outside'))
    const root = pinRoot(durableDisk, join(t.path, 'project'))
    inDirectory(root, 'dir', (directory) => {
      renameSync(join(t.path, 'project/dir'), join(t.path, 'project/moved'))
      symlinkSync(join(t.path, 'outside'), join(t.path, 'project/dir'))
      durableDisk.close(durableDisk.create(directory.at('f'), 0o600))
    })
    expect(lstatSync(join(t.path, 'project/moved/f')).isFile()).toBe(true)
    expect(lstatSync(join(t.path, 'outside/f'), { throwIfNoEntry: false })).toBeUndefined()
    root.close()
  })

  needs('linux')(
    'that is held open is not reused when its path leads elsewhere or through a link',
    () => {
      using t = temporary()
      const at = (path: string): string => join(t.path, path)
      mkdirSync(at('project/a/b/c'), { recursive: true })
      const root = pinRoot(durableDisk, at('project'))
      const inode = (): bigint | null => tryInDirectory(root, 'a/b/c', ({ stat }) => stat.inode)
      const first = inode()
      expect(inode()).toBe(first)
      // The same path leads to the same directory, but that is outside of the project now.
      renameSync(at('project/a/b'), at('outside'))
      symlinkSync(at('outside'), at('project/a/b'))
      expect(inode()).toBeNull()
      renameSync(at('project/a/b'), at('link'))
      expect(inode()).toBeNull()
      mkdirSync(at('project/a/b/c'), { recursive: true })
      expect([null, first]).not.toContain(inode())
      renameSync(at('project'), at('renamed'))
      expect([null, first]).not.toContain(inode())
      root.close()
    },
  )

  test('is never the repository or a forbidden directory', () => {
    using t = temporary()
    for (const name of ['.git', '.GIT', 'store']) mkdirSync(join(t.path, name))
    const store = durableDisk.stat(Buffer.from(join(t.path, 'store')))!
    const root = pinRoot(durableDisk, t.path, { never: [store] })
    for (const path of ['.git', '.GIT', 'store'])
      expect(() => inDirectory(root, path, () => 0)).toThrow(
        expect.objectContaining({ code: 'path-protected' }),
      )
    root.close()
  })

  needs('linux')('is never on another file system', () => {
    using t = temporary()
    mkdirSync(join(t.path, 'mount'))
    const disk: Disk = {
      ...durableDisk,
      statOpen(file) {
        const stat = durableDisk.statOpen(file)
        const isMount = readLinkOf(file).endsWith('/mount')
        return isMount ? { ...stat, device: stat.device + 1n } : stat
      },
      stat(path) {
        const stat = durableDisk.stat(path)
        return stat !== null && isMountPath(path) ? { ...stat, device: stat.device + 1n } : stat
      },
    }
    const root = pinRoot(disk, t.path)
    expect(() => inDirectory(root, 'mount', () => 0)).toThrow(
      expect.objectContaining({ code: 'mount-crossed' }),
    )
    root.close()
  })

  function readLinkOf(file: number): string {
    return durableDisk.readLink(Buffer.from(`/proc/self/fd/${file}`)).toString()
  }

  function isMountPath(path: Buffer): boolean {
    const [, file] = /^\/proc\/self\/fd\/(\d+)\/\.$/u.exec(path.toString()) ?? []
    return file !== undefined && readLinkOf(Number(file)).endsWith('/mount')
  }

  test('without /proc is compared before each use', () => {
    using t = temporary()
    mkdirSync(join(t.path, 'dir'))
    const noProc: Disk = {
      ...durableDisk,
      stat: (path) => (path.toString().startsWith('/proc/') ? null : durableDisk.stat(path)),
    }
    const root = pinRoot(noProc, t.path)
    inDirectory(root, 'dir', (directory) => {
      expect(directory.at('f').toString()).toBe(join(t.path, 'dir/f'))
      renameSync(join(t.path, 'dir'), join(t.path, 'moved'))
      mkdirSync(join(t.path, 'dir'))
      expect(() => directory.at('f')).toThrow('moved')
    })
    root.close()
  })
})

describe('[FT17] [FT19] reading a path', () => {
  test('finds files, links, directories and nothing', () => {
    using t = temporary()
    writeFileSync(join(t.path, 'file'), 'a\r\nb')
    chmodSync(join(t.path, 'file'), 0o4751)
    symlinkSync(Buffer.from([0x78, 0xff]), join(t.path, 'link'))
    mkdirSync(join(t.path, 'directory'))
    const root = pinRoot(durableDisk, t.path)
    const bytes = Buffer.from('a\r\nb')
    expect(readValue(root, 'file')).toMatchObject({
      kind: 'file',
      content: blobId(bytes),
      mode: 0o4751,
      bytes,
    })
    expect(readValue(root, 'link')).toMatchObject({ kind: 'symlink', target: 'x\udcff' })
    expect(readValue(root, 'directory').kind).toBe('directory')
    for (const path of ['none', 'none/deeper', 'file/below', 'link/below'])
      expect(readValue(root, path)).toEqual({ kind: 'absent' })
    root.close()
  })

  test('a name that is not UTF-8 is found', () => {
    using t = temporary()
    writeFileSync(Buffer.concat([Buffer.from(`${t.path}/`), Buffer.from([0xfc])]), 'x')
    const root = pinRoot(durableDisk, t.path)
    expect(readValue(root, '\udcfc').kind).toBe('file')
    expect(readValue(root, 'ü').kind).toBe('absent')
    root.close()
  })

  test('a FIFO and a socket are never opened', async () => {
    using t = temporary()
    execFileSync(MKFIFO, [join(t.path, 'fifo')])
    const server = createServer().listen(join(t.path, 'socket'))
    await new Promise((resolve) => server.once('listening', resolve))
    const root = pinRoot(durableDisk, t.path)
    expect(readValue(root, 'fifo').kind).toBe('special')
    expect(readValue(root, 'socket').kind).toBe('special')
    server.close()
    root.close()
  })

  test('a FIFO that takes a file’s place between two calls does not hang', () => {
    using t = temporary()
    const path = join(t.path, 'f')
    writeFileSync(path, 'x')
    const swapping: Disk = {
      ...durableDisk,
      openFile(where) {
        renameSync(path, `${path}.old`)
        execFileSync(MKFIFO, [path])
        return durableDisk.openFile(where)
      },
    }
    const root = pinRoot(swapping, t.path)
    expect(readValue(root, 'f').kind).toBe('special')
    root.close()
  })

  test('a link that takes a file’s place between two calls is not followed', () => {
    using t = temporary()
    const path = join(t.path, 'f')
    writeFileSync(path, 'x')
    writeFileSync(join(t.path, 'elsewhere'), 'not asked for')
    const swapping: Disk = {
      ...durableDisk,
      openFile(where) {
        renameSync(path, `${path}.old`)
        symlinkSync('elsewhere', path)
        return durableDisk.openFile(where)
      },
    }
    const root = pinRoot(swapping, t.path)
    expect(() => readValue(root, 'f')).toThrow('ELOOP')
    root.close()
  })

  needs('linux')('closes most directories that an operation held open', () => {
    using t = temporary()
    const paths = Array.from({ length: 400 }, (_, n) => `d${n}`)
    for (const path of paths) mkdirSync(join(t.path, path))
    const root = pinRoot(durableDisk, t.path)
    const openFiles = () => readdirSync('/proc/self/fd').length
    const before = openFiles()
    for (const path of paths) inDirectory(root, path, () => {})
    const during = openFiles() - before
    root.release()
    const after = openFiles() - before
    root.close()
    expect([during, after]).toEqual([Math.min(400, maxHeld()), USUALLY_HELD])
  })

  test('hard links are counted', () => {
    using t = temporary()
    writeFileSync(join(t.path, 'a'), 'x')
    linkSync(join(t.path, 'a'), join(t.path, 'b'))
    const root = pinRoot(durableDisk, t.path)
    expect(readValue(root, 'a')).toMatchObject({ stat: { links: 2 } })
    root.close()
  })

  test('a file that grows while it is read is read to its end', () => {
    using t = temporary()
    const path = join(t.path, 'f')
    writeFileSync(path, 'x'.repeat(10))
    let grown = false
    const growing: Disk = {
      ...durableDisk,
      read(file, into, position) {
        if (!grown) writeFileSync(path, 'x'.repeat(100_000))
        grown = true
        return durableDisk.read(file, into, position)
      },
    }
    const root = pinRoot(growing, t.path)
    expect(readValue(root, 'f')).toMatchObject({ bytes: readFileSync(path) })
    root.close()
  })
})
