import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameText } from '#disk'
import type { ProjectPath } from '#timeline'
import { observe } from '../../src/snapshots/observe.ts'
import { valuesOf, watched } from './observed.ts'
import { act, perform } from './random-acts.ts'
import { numRuns } from '../../src/timeline/data/runs.testing.ts'

const gitAct = fc.record({
  git: fc.constantFrom('add', 'add', 'forget', 'commit'),
  path: fc.constantFrom('a', 'dist', 'a/dist', 'b', 'dist/c.txt', 'a/c.txt', '.'),
})
const round = fc.array(fc.oneof({ weight: 4, arbitrary: act }, { weight: 1, arbitrary: gitAct }), {
  minLength: 1,
  maxLength: 8,
})
const index = fc.constantFrom('2', '3', '4', 'split')

function gitIn(root: string): (args: string[], input?: Buffer) => Buffer {
  const env = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_NOSYSTEM: '1', HOME: root }
  return (args, input) => {
    try {
      return execFileSync('git', args, { cwd: root, env, input, stdio: ['pipe', 'pipe', 'ignore'] })
    } catch (error) {
      // Nothing to add, to commit or to list.
      return (error as { stdout: Buffer }).stdout
    }
  }
}

interface OnDisk {
  readonly files: Set<string>
  readonly directories: Set<string>
}

function everything(root: string, below: string, found: OnDisk): OnDisk {
  for (const entry of readdirSync(join(root, below), { withFileTypes: true })) {
    const path = join(below, entry.name)
    if (entry.name === '.git') continue
    if (!entry.isDirectory()) found.files.add(path)
    else everything(root, path, (found.directories.add(path), found))
  }
  return found
}

/** The scope according to the rule, using git's own lists of tracked and ignored files. */
function expected(root: string, ever: ReadonlySet<string>): string[] {
  const git = gitIn(root)
  const lines = (bytes: Buffer): Set<string> =>
    new Set(
      nameText(bytes)
        .split('\0')
        .filter((line) => line !== ''),
    )
  const { files, directories } = everything(root, '', { files: new Set(), directories: new Set() })
  const tracked = lines(git(['ls-files', '-z']))
  const asked = Buffer.from([...directories].map((path) => `${path}\0`).join(''))
  const ignored = lines(git(['check-ignore', '--no-index', '--stdin', '-z'], asked))
  const liesInIgnored = (path: string): boolean =>
    path.split('/').some((_, n, parts) => n > 0 && ignored.has(parts.slice(0, n).join('/')))
  return [...files]
    .filter((path) => ever.has(path) || tracked.has(path) || !liesInIgnored(path))
    .toSorted()
}

test('[sem.A7] in scope is what git tracks, what ever was in scope, and everything outside ignored directories', () => {
  fc.assert(
    fc.property(fc.array(round, { minLength: 2, maxLength: 5 }), index, (rounds, version) => {
      using w = watched()
      const git = gitIn(w.path)
      git(['init', '--quiet'])
      if (version === 'split') git(['config', 'core.splitIndex', 'true'])
      else git(['config', 'index.version', version])
      const ever = new Set<string>()
      for (const acts of rounds) {
        for (const step of acts)
          if (!('git' in step)) perform(w.path, step)
          else if (step.git === 'add') git(['add', '--force', '--all', '--', step.path])
          else if (step.git === 'forget') git(['rm', '-r', '--quiet', '--cached', '--', step.path])
          else git(['-c', 'user.name=x', '-c', 'user.email=x@y', 'commit', '--quiet', '-mx'])
        observe(w.project, { sticky: ever as Set<ProjectPath> })
        const inScope = [...valuesOf(w.project).keys()].toSorted()
        expect(inScope).toEqual(expected(w.path, ever))
        for (const path of inScope) ever.add(path)
      }
    }),
    { numRuns: numRuns(12) },
  )
})
