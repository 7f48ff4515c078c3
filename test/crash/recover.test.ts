import {
  appendFileSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appendStep } from './steps.ts'
import { durableDisk, type Disk } from '../../src/disk/index.ts'
import { applyPlan, recover, type OperationPlan } from '../../src/journal/index.ts'
import { hasContent, putContent, unfinishedOperations } from '../../src/store/index.ts'
import type { ContentId, ProjectPath, Value } from '../../src/timeline/index.ts'
import { gitId, readTree, writeTree, type Tree } from '../verifier/tree.ts'
import { live, stage, type Stage } from './stage.ts'

const absent: Value = { kind: 'absent' }
const file = (content: string): Value => ({
  kind: 'file',
  content: gitId(content) as ContentId,
  mode: 0o644,
})

function begin(tree: Tree): Stage {
  const on = stage()
  writeTree(on.world.project, tree)
  mkdirSync(on.sessions)
  writeFileSync(on.transcript, 'said\n')
  return on
}

type Paths = Readonly<Record<string, readonly [pre: Value, post: Value]>>

function planOf(paths: Paths, more: Partial<OperationPlan> = {}): OperationPlan {
  const changes = Object.entries(paths).map(([path, [pre, post]]) => ({
    path: path as ProjectPath,
    pre,
    post,
  }))
  return { verb: 'undo', session: 's', details: null, changes, ...more }
}

/** With the conversation, which a plan moves after the files. */
function withChat(on: Stage, paths: Paths): OperationPlan {
  const { ino: inode } = lstatSync(on.transcript, { bigint: true })
  const lines = { path: on.transcript, inode, size: 5, bytes: Buffer.from('moved\n') }
  return planOf(paths, { conversation: appendStep('toy', lines) })
}

const contents = (store: Parameters<typeof putContent>[0]): void => {
  for (const content of ['old', 'new', 'x']) putContent(store, Buffer.from(content))
}
const files = (on: Stage): object => Object.fromEntries(readTree(on.world.project))

/** A disk on which the file `b` cannot be moved. */
const stuck: Disk = {
  ...durableDisk,
  rename(from, to) {
    if (from.toString().endsWith('/b')) throw Object.assign(new Error(), { code: 'EPERM' })
    durableDisk.rename(from, to)
  },
}

test('[I1][sem.M6] a rollback restores the kinds and modes of files and directories', async () => {
  using on = begin({
    cfg: { file: 'old' },
    'dir/f': { file: 'x' },
    dir: { directory: 0o750 },
    b: { file: 'x' },
  })
  const before = files(on)
  const plan = planOf({
    cfg: [file('old'), absent],
    'cfg/x': [absent, file('new')],
    'dir/f': [file('x'), absent],
    dir: [absent, file('new')],
    b: [file('x'), file('new')],
  })
  const act = { base: stuck, prepare: contents }
  const { result } = await live(on, [], (journal) => applyPlan(journal, plan), act)
  expect(result).toMatchObject({ kind: 'rolled-back', kept: [] })
  expect(files(on)).toEqual(before)
})

test('[FT1][J4] recovery continues a rollback that a crash interrupted, and never reverses it', async () => {
  let met = 0
  for (let at = 1; ; at += 1) {
    using on = begin({ a: { file: 'old' }, b: { file: 'x' } })
    const before = files(on)
    const plan = planOf({ a: [file('old'), file('new')], b: [file('x'), file('new')] })
    const act = { base: stuck, prepare: contents }
    const { calls } = await live(on, [{ kind: 'die', at }], (it) => applyPlan(it, plan), act)
    if (calls.length < at) break
    const [left] = unfinishedOperations(on.world.open())
    const { result } = await live(on, [], recover)
    if (left?.state !== 'rolling-back') continue
    met += 1
    expect(result).toMatchObject([{ how: 'rolled-back', kept: [] }])
    expect(files(on)).toEqual(before)
  }
  expect(met).toBeGreaterThan(3)
})

test('[J6] after the conversation has moved there is no rollback, whatever happens to the files', async () => {
  using on = begin({ 'dir/a': { file: 'old' } })
  const plan = withChat(on, { 'dir/a': [file('old'), file('new')] })
  const commit = (): never => {
    throw new Error('the rows cannot be written')
  }
  const act = { prepare: contents }
  const life = await live(on, [], (it) => applyPlan({ ...it, commit }, plan), act)
  expect(life.error).toMatchObject({ code: 'operation-unfinished' })
  rmSync(join(on.world.project, 'dir'), { recursive: true })
  const { result } = await live(on, [], recover)
  expect(result).toMatchObject([{ how: 'finished', kept: [{ path: 'dir/a', found: absent }] }])
  expect(readFileSync(on.transcript, 'utf8')).toBe('said\nmoved\n')
})

test('[J6][FT13] if the agent writes before the conversation can move, the files are rolled back', async () => {
  using counting = begin({ a: { file: 'old' } })
  const paths: Paths = { a: [file('old'), file('new')] }
  const act = { prepare: contents }
  const whole = withChat(counting, paths)
  const { calls } = await live(counting, [], (it) => applyPlan(it, whole), act)

  using on = begin({ a: { file: 'old' } })
  const before = files(on)
  const plan = withChat(on, paths)
  // The last write is the one to the transcript.
  const at = calls.lastIndexOf('write') + 1
  await live(on, [{ kind: 'die', at }], (it) => applyPlan(it, plan), act)
  expect(files(on)).not.toEqual(before)
  appendFileSync(on.transcript, 'went on\n')
  const { result } = await live(on, [], recover)
  expect(result).toMatchObject([{ how: 'rolled-back' }])
  expect(files(on)).toEqual(before)
  expect(readFileSync(on.transcript, 'utf8')).toBe('said\nwent on\n')
})

test('[J6][FT4] an error after the conversation has moved rolls no file back', async () => {
  using on = begin({ a: { file: 'old' } })
  const plan = withChat(on, { a: [file('old'), file('new')] })
  const { inode } = durableDisk.stat(Buffer.from(on.transcript))!
  const fail = (): never => {
    throw Object.assign(new Error(), { code: 'EIO' })
  }
  // The lines are in the file, and the disk lets no process sync or remove them.
  const broken: Disk = {
    ...durableDisk,
    sync: (at) => (durableDisk.statOpen(at).inode === inode ? fail() : durableDisk.sync(at)),
    truncate: fail,
  }
  const act = { base: broken, prepare: contents }
  const life = await live(on, [], (it) => applyPlan(it, plan), act)
  expect(life.error).toMatchObject({ code: 'operation-unfinished' })
  expect((await live(on, [], recover)).result).toMatchObject([{ how: 'finished', kept: [] }])
  expect(files(on)).toEqual({ a: 'file 644 new' })
  expect(readFileSync(on.transcript, 'utf8')).toBe('said\nmoved\n')
})

test('[I0][FT7] a save into the old file within a day after the operation is kept', async () => {
  using on = begin({ a: { file: 'old' } })
  const open = openSync(join(on.world.project, 'a'), 'a')
  const plan = planOf({ a: [file('old'), file('new')] })
  await live(on, [], (it) => applyPlan(it, plan), { prepare: contents })
  const hours = (count: number) => ({ now: () => Date.now() + count * 60 * 60 * 1000 })
  await live(on, [], recover, hours(23))
  writeSync(open, ', saved late')
  closeSync(open)
  await live(on, [], recover, hours(25))
  expect(files(on)).toEqual({ a: 'file 644 new' })
  expect(hasContent(on.world.open(), gitId('old, saved late') as ContentId)).toBe(true)
  expect(readdirSync(join(on.world.directory, 'quarantine'))).toEqual([])
})
