import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameBytes, nameText } from '#disk'
import { temporary } from '../crash/world.ts'
import { matchGlob } from '../../src/snapshots/glob.ts'
import { judge, outerScope, scopeOf, stickyPaths, type Scope } from '../../src/snapshots/scope.ts'
import { numRuns } from '../../src/timeline/data/runs.testing.ts'

const part = fc.constantFrom('a', 'b', 'ab', 'ba', 'a.b', 'A', 'ä', ' ', 'a ', '[', '-', '!a', '#a')
const TOKENS =
  'a b ab . * ** *** ? ?? / / [ab] [!a] [^b] [a-c] [[:alpha:]] [[:upper:]] [a []a] []-a] [--a] ' +
  '\\a \\* \\ ! # \\  ä [ä] [[:nope:]] [[:a] A - \r'
const token = fc.constantFrom(...TOKENS.split(' ').map((text) => (text === '' ? ' ' : text)))
const line = fc
  .array(token, { minLength: 1, maxLength: 6 })
  .map((tokens) => tokens.join(''))
  // A trailing `**` that a backslash joins to the slash does not occur in practice.
  .filter((text) => !text.includes('**\\/'))
const ignoreFile = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: line },
      { weight: 1, arbitrary: line.map((text) => `!${text}`) },
      { weight: 1, arbitrary: line.map((text) => `${text}/`) },
    ),
    { maxLength: 4 },
  )
  .map((lines) => lines.join('\n'))
const path = fc.array(part, { minLength: 1, maxLength: 3 })

/** The scope's answer for a path, walking down to it as a scan does. */
function isIn(paths: readonly string[], files: ReadonlyMap<string, string>, end: 'file' | 'dir') {
  let scope: Scope = outerScope(
    [
      { prefix: '', text: Buffer.from(files.get('global')!).toString('latin1') },
      { prefix: '', text: Buffer.from(files.get('exclude')!).toString('latin1') },
    ],
    stickyPaths([]),
    { seesIgnoredFiles: false },
  )
  let walked = ''
  for (const [n, name] of paths.entries()) {
    const rules = files.get(walked === '' ? '.gitignore' : `${walked}/.gitignore`)
    scope = scopeOf(scope, walked, rules === undefined ? null : Buffer.from(rules), false)
    const isDirectory = n < paths.length - 1 || end === 'dir'
    if (judge(scope, name, { isDirectory }) === 'out') return false
    walked = walked === '' ? name : `${walked}/${name}`
  }
  return true
}

test('[sem.A7] ignore files have the same effect as in git', () => {
  using t = temporary()
  const root = join(t.path, 'r')
  execFileSync('git', ['init', '--quiet', root])
  fc.assert(
    fc.property(
      fc.record({ global: ignoreFile, exclude: ignoreFile, top: ignoreFile, below: ignoreFile }),
      fc.array(fc.tuple(path, fc.constantFrom('file' as const, 'dir' as const)), {
        minLength: 12,
        maxLength: 12,
      }),
      ({ global, exclude, top, below }, asked) => {
        for (const name of readdirSync(root))
          if (name !== '.git') rmSync(join(root, name), { recursive: true })
        const files = new Map([
          ['global', global],
          ['exclude', exclude],
          ['.gitignore', top],
          ['a/.gitignore', below],
        ])
        mkdirSync(join(root, 'a'))
        // Git checks the disk to see whether a path is a directory.
        for (const [parts, end] of asked)
          mkdirSync(join(root, ...(end === 'dir' ? parts : parts.slice(0, -1))), {
            recursive: true,
          })
        writeFileSync(join(t.path, 'global'), global)
        writeFileSync(join(root, '.git/info/exclude'), exclude)
        writeFileSync(join(root, '.gitignore'), top)
        writeFileSync(join(root, 'a/.gitignore'), below)
        const paths = asked.map(([parts]) => parts.join('/'))
        const ours = paths.filter((path) => {
          const isDirectory = existsSync(join(root, path))
          return !isIn(path.split('/'), files, isDirectory ? 'dir' : 'file')
        })
        expect(new Set(ours)).toEqual(new Set(askGit(root, join(t.path, 'global'), paths)))
      },
    ),
    { numRuns: numRuns(150) },
  )
})

function askGit(root: string, global: string, paths: readonly string[]): string[] {
  try {
    return execFileSync(
      'git',
      ['-c', `core.excludesFile=${global}`, 'check-ignore', '--no-index', '--stdin', '-z'],
      { cwd: root, input: Buffer.from(paths.join('\0') + '\0'), stdio: ['pipe', 'pipe', 'pipe'] },
    )
      .toString()
      .split('\0')
      .filter(Boolean)
  } catch (error) {
    // 1 means that none is ignored.
    if ((error as { status?: number }).status === 1) return []
    throw error
  }
}

test('[S15] matching a hostile pattern does not backtrack', () => {
  // A backtracking matcher would not return.
  expect(matchGlob(`${'*a'.repeat(60)}b`, 'a'.repeat(250))).toBe(false)
  expect(matchGlob(`${'**/*a*/'.repeat(30)}b`, 'a/'.repeat(500))).toBe(false)
})

test('[FT18] a name that is not UTF-8 is matched by its bytes', () => {
  const name = nameText(Buffer.from([0x61, 0xff]))
  const scope = scopeOf(outerScope([], stickyPaths([])), '', Buffer.from('a?\n'), false)
  expect(judge(scope, name, { isDirectory: true })).toBe('out')
  expect(nameBytes(name)).toHaveLength(2)
})
