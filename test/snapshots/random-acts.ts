/** Random acts of users, agents and builds on a tree. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'

// Few paths, so that acts collide: the same file is written, moved, ignored and written again.
const path = fc.constantFrom(
  ...'a b c.txt dist a/a a/b a/ü a/c.txt b/a b/c.txt a/dist/a dist/a dist/c.txt a/b/a a/b/c.txt'.split(
    ' ',
  ),
)
const content = fc.constantFrom('', 'one\n', 'two\n', 'six\n', 'longer than that\r\n', '\0bin')
const rules = fc.constantFrom('', 'dist/\n', '*.txt\n', 'b\n', '*\n', '/a/*\n!/a/b\n', '!dist\n')

const kinds = fc.oneof(
  { weight: 5, arbitrary: fc.constant('write' as const) },
  { weight: 2, arbitrary: fc.constantFrom('sneak' as const, 'move', 'ignore') },
  { weight: 4, arbitrary: fc.constantFrom('mode' as const, 'link', 'remove', 'directory', 'swap') },
)

export const act = fc.record({ kind: kinds, path, other: path, content, rules })
export type Act = typeof act extends fc.Arbitrary<infer T> ? T : never

/** Performs the act as far as possible; obstacles stay. */
export function perform(root: string, { kind, path, other, content, rules }: Act): void {
  const at = join(root, path)
  const to = join(root, other)
  try {
    switch (kind) {
      case 'write':
        mkdirSync(dirname(at), { recursive: true })
        writeFileSync(at, content)
        break
      case 'sneak': {
        // Same size and modification time, as some build tools leave them.
        const { size, atime, mtime } = lstatSync(at)
        if (!lstatSync(at).isFile()) break
        writeFileSync(at, 'x'.repeat(size))
        utimesSync(at, atime, mtime)
        break
      }
      case 'mode':
        if (!lstatSync(at).isSymbolicLink())
          chmodSync(at, lstatSync(at).isDirectory() ? 0o750 : content === '' ? 0o600 : 0o755)
        break
      case 'link':
        rmSync(at, { recursive: true, force: true })
        symlinkSync(other, at)
        break
      case 'move':
        mkdirSync(dirname(to), { recursive: true })
        renameSync(at, to)
        break
      case 'swap':
        renameSync(at, `${at}.swap`)
        if (existsSync(to)) renameSync(to, at)
        renameSync(`${at}.swap`, to)
        break
      case 'remove':
        rmSync(at, { recursive: true, force: true })
        break
      case 'directory':
        mkdirSync(at, { recursive: true })
        break
      case 'ignore': {
        const file = join(lstatSync(at).isDirectory() ? at : root, '.gitignore')
        if (rules === '') rmSync(file, { force: true })
        else if (!existsSync(file) || readFileSync(file, 'utf8') !== rules)
          writeFileSync(file, rules)
        break
      }
    }
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error
  }
}
