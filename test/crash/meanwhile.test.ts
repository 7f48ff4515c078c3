import {
  closeSync,
  ftruncateSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { recover } from '../../src/journal/index.ts'
import { bystanders, cases, type Case } from './cases.ts'
import { readTranscript } from './judge.ts'
import { applyCase, live, recoverStage, setUp, stage, type Scenery } from './stage.ts'
import { readStore } from '../verifier/read-store.ts'
import { gitId, identities, readTree } from '../verifier/tree.ts'

// Another program saves a file right before each call of an operation, and between a crash and its
// recovery. Afterwards its bytes, and those it replaced, must be at the path or in the store.

const kinds = cases(0)
  .map(({ name, before, after }, index) => [name, index, { ...after, ...before }] as const)
  .filter(([, , tree]) => Object.keys(tree).length > 0)
let run = 1000
function nextCase(index: number): Case {
  return cases((run += 1))[index]!
}

interface Editor {
  readonly does: string
  readonly leavesText: boolean
  readonly save: (path: string, text: string) => void
}

const editors: Editor[] = [
  {
    does: 'writes in place',
    leavesText: true,
    save(path, text) {
      if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true)
        throw new Error('would be saved elsewhere')
      writeFileSync(path, text)
    },
  },
  {
    does: 'writes beside and renames',
    leavesText: true,
    save(path, text) {
      writeFileSync(`${path}.swp`, text)
      renameSync(`${path}.swp`, path)
    },
  },
  { does: 'removes the file', leavesText: false, save: (path) => rmSync(path) },
  {
    does: 'makes a directory of the file',
    leavesText: false,
    save(path) {
      rmSync(path)
      mkdirSync(path)
    },
  },
]

function saves(edit: () => void): boolean {
  try {
    edit()
    return true
  } catch {
    return false // No such file or directory, or a directory: nothing was saved.
  }
}

const LATER = 25 * 60 * 60 * 1000

/** A day later nothing is held back any more: everything is in the tree or in the store. */
async function settle(scenery: Scenery, where: string): Promise<void> {
  const life = await live(scenery.stage, [], recover, { now: () => Date.now() + LATER })
  expect(life.error, where).toBeUndefined()
}

function judgeBytes(scenery: Scenery, edits: readonly string[], where: string): void {
  const { stage: on, case: which, untouched, since } = scenery
  const tree = readTree(on.world.project)
  const { contents, isTidy, operation } = readStore(on.world.directory, since)
  const texts = new Set([...tree.values()].map((line) => line.replace(/^file \d+ /u, '')))
  const old = Object.values(which.before).flatMap((entry) => ('file' in entry ? [entry.file] : []))
  // Before an operation begins, Retake keeps nothing.
  for (const bytes of operation === null ? edits : [...edits, ...old])
    expect(texts.has(bytes) || contents.has(gitId(bytes)), `${where}: lost ${bytes}`).toBe(true)
  expect(
    [...tree.keys()].filter((path) => path.includes('.retake-')),
    where,
  ).toEqual([])
  expect(isTidy, where).toBe(true)
  if (which.transcript !== undefined)
    expect(readTranscript(on), where).toBe(
      operation === 'committed' ? which.transcript.after : which.transcript.before,
    )
  expect(identities(on.world.project, [...untouched.keys()]), where).toEqual(untouched)
  expect(untouched.size).toBe(Object.keys(bystanders).length)
}

describe.each(editors)(
  '[FT7] [I0] another program $does',
  { timeout: 300_000 },
  ({ save, leavesText }) => {
    test.each(kinds)('right before each call of: %s', async (_name, index, tree) => {
      using on = stage()
      for (const path of Object.keys(tree))
        for (let at = 1; ; at += 1) {
          const scenery = setUp(on, nextCase(index))
          const text = `edit of run ${run}\n`
          let hasSaved = false
          const act = () => {
            hasSaved = saves(() => save(join(on.world.project, path), text))
          }
          const life = await applyCase(scenery, { kind: 'meanwhile', at, act })
          const where = `${path} before ${at} (${life.calls[at - 1]}), ${life.result?.kind}`
          await settle(scenery, where)
          judgeBytes(scenery, hasSaved && leavesText ? [text] : [], where)
          if (life.calls.length < at) break
        }
    })
  },
)

const writers = editors.filter(({ leavesText }) => leavesText)

describe.each(writers)(
  '[4.3] [I0] after a crash another program $does',
  { timeout: 300_000 },
  ({ save }) => {
    test.each(kinds)(
      'and its bytes are there after the recovery of: %s',
      async (_name, index, tree) => {
        using on = stage()
        for (const path of Object.keys(tree))
          for (let at = 1; ; at += 1) {
            const scenery = setUp(on, nextCase(index))
            const life = await applyCase(scenery, { kind: 'die', at })
            if (life.calls.length < at) break
            const text = `edit of run ${run}\n`
            const hasSaved = saves(() => save(join(on.world.project, path), text))
            const where = `${path} after a death at ${at} (${life.calls.at(-1)})`
            const recovery = await recoverStage(on)
            expect(recovery.error, where).toBeUndefined()
            const finished = recovery.result?.find(({ how }) => how === 'finished')
            const isChange = !('directory' in tree[path]!)
            if (hasSaved && isChange && finished !== undefined)
              expect(
                finished.kept.map((kept) => kept.path),
                `${where}: reported`,
              ).toContain(path)
            if (hasSaved) expect(readTree(on.world.project).get(path), where).toContain(text)
            await settle(scenery, where)
            judgeBytes(scenery, hasSaved ? [text] : [], where)
          }
      },
    )
  },
)

describe(
  '[FT7] [I0] another program that has the file open all the time',
  { timeout: 300_000 },
  () => {
    test.each(kinds)('saves right before each call of: %s', async (_name, index) => {
      using on = stage()
      const files = Object.entries(nextCase(index).before).filter(([, entry]) => 'file' in entry)
      for (const [path] of files)
        for (let at = 1; ; at += 1) {
          const scenery = setUp(on, nextCase(index))
          const text = `edit of run ${run}\n`
          const file = openSync(join(on.world.project, path), 'r+')
          const act = () => {
            ftruncateSync(file)
            writeSync(file, text, 0)
          }
          const life = await applyCase(scenery, { kind: 'meanwhile', at, act })
          const isWhole = life.calls.length < at
          if (isWhole) act()
          closeSync(file)
          const where = `${path} before ${at} (${life.calls[at - 1]}), ${life.result?.kind}`
          await settle(scenery, where)
          judgeBytes(scenery, [text], where)
          if (isWhole) break
        }
    })
  },
)
