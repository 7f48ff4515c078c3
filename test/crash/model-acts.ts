/** Random acts of users, and random operations with faults. */
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'

// Few paths, so that acts collide.
const path = fc.constantFrom('a', 'b', 'd/a', 'd/b', 'd/e/f', 'x y', 'ü', 'd', 'd/e', 'A')
const text = fc.constantFrom('', 'one\n', 'two\r\n', 'no end', '\0bin', 'long\n'.repeat(500))

const USER = [
  'write',
  'append',
  'remove',
  'make-directory',
  'remove-directory',
  'mode',
  'link',
  'move',
  'file-to-directory',
] as const
const POSTS = ['file', 'file', 'same-text-other-mode', 'link', 'gone', 'empty'] as const
const FAULTS = [
  'none',
  'none',
  'die',
  'tear',
  'die-twice',
  'fail',
  'fail-then-die',
  'stays-full',
  'stays-read-only',
  'saved-meanwhile',
  'stale',
  'stopped',
] as const
export const ERRNOS = ['ENOSPC', 'EIO', 'EACCES', 'EROFS', 'EPERM', 'EMFILE'] as const

const userAct = fc.record({ does: fc.constantFrom(...USER), path, other: path, text })
const change = fc.record({ path, to: fc.constantFrom(...POSTS), text })
const operation = fc.record({
  does: fc.constant('operate' as const),
  changes: fc.array(change, { minLength: 1, maxLength: 4 }),
  /** Also appends to the transcript. */
  talks: fc.boolean(),
  /** May remove directories that it empties. */
  tidies: fc.boolean(),
  mishap: fc.constantFrom(...FAULTS),
  at: fc.integer({ min: 1, max: 60 }),
  again: fc.integer({ min: 1, max: 40 }),
  errno: fc.constantFrom(...ERRNOS),
})
const pause = fc.record({ does: fc.constantFrom('a-day-later' as const, 'check' as const) })

export type UserAct = typeof userAct extends fc.Arbitrary<infer T> ? T : never
export type OperationAct = typeof operation extends fc.Arbitrary<infer T> ? T : never
export type Act = UserAct | OperationAct | { does: 'a-day-later' | 'check' }

export const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 10, arbitrary: userAct },
  { weight: 9, arbitrary: operation },
  { weight: 1, arbitrary: pause },
)

/** Performs the act as far as possible; obstacles stay. */
export function performUserAct(
  root: string,
  { does, path: name, other, text: bytes }: UserAct,
): void {
  const at = join(root, name)
  const to = join(root, other)
  try {
    switch (does) {
      case 'write':
        mkdirSync(dirname(at), { recursive: true })
        if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true) rmSync(at)
        writeFileSync(at, bytes)
        break
      case 'append':
        if (lstatSync(at).isFile()) appendFileSync(at, bytes)
        break
      case 'remove':
        rmSync(at)
        break
      case 'make-directory':
        mkdirSync(at, { recursive: true })
        break
      case 'remove-directory':
        rmdirSync(at)
        break
      case 'mode':
        if (lstatSync(at).isFile()) chmodSync(at, bytes === '' ? 0o600 : 0o755)
        break
      case 'link':
        rmSync(at, { force: true })
        symlinkSync(other, at)
        break
      case 'move':
        if (!lstatSync(at).isDirectory()) renameSync(at, to)
        break
      case 'file-to-directory':
        rmSync(at)
        mkdirSync(at)
        writeFileSync(join(at, 'inner'), bytes)
        break
    }
  } catch (error) {
    if (typeof (error as NodeJS.ErrnoException).code !== 'string') throw error
  }
}
