import { describe, expect, test } from 'vitest'
import { durableDisk, pinRoot, type Disk, type Stat } from '#disk'
import { getOperation, hasContent, listOperations, putContent, takeWriter } from '#store'
import type { ContentId, ProjectPath, Value } from '#timeline'
import { appendStep } from '../../test/crash/steps.ts'
import { live, stage, type Stage } from '../../test/crash/stage.ts'
import { gitId, readTree, writeTree, type Tree } from '../../test/verifier/tree.ts'
import { applyPlan } from './apply.ts'
import type { ApplyOutcome, Journal, OperationPlan, Refusal, Running } from './journal.ts'
import type { Change } from './order.ts'
import { recover } from './recover.ts'

function file(content: string, mode = 0o644): Value {
  return { kind: 'file', content: gitId(content) as ContentId, mode }
}

const absent: Value = { kind: 'absent' }

function change(path: string, pre: Value, post: Value): Change {
  return { path: path as ProjectPath, pre, post }
}

function plan(changes: Change[], more: Partial<OperationPlan> = {}): OperationPlan {
  return { verb: 'undo', session: 's', details: { cells: [1, 2] }, changes, ...more }
}

function begin(tree: Tree): Stage {
  const on = stage()
  writeTree(on.world.project, tree)
  return on
}

/** Applies a plan, with the contents `old`, `new` and `x` in the store. */
async function apply(
  on: Stage,
  given: OperationPlan,
  more: { disk?: Partial<Disk>; journal?: Partial<Journal> } & Running = {},
): Promise<ApplyOutcome> {
  const { result, error } = await live(on, [], (journal) => {
    for (const content of ['old', 'new', 'x']) putContent(journal.store, Buffer.from(content))
    const disk = { ...journal.root.disk, ...more.disk }
    const root = pinRoot(disk, on.world.project, { never: journal.root.never })
    const changed = { ...journal, store: { ...journal.store, disk }, root, ...more.journal }
    return applyPlan(changed, given, { signal: more.signal, progress: more.progress })
  })
  if (error !== undefined) throw error
  return result!
}

/** A program that keeps a file open, wherever it moves. */
function holdOpen(on: Stage, name: string): Disposable & { save(text: string): void } {
  const file = durableDisk.openAppend(Buffer.from(`${on.world.project}/${name}`))
  return {
    save(text) {
      durableDisk.truncate(file, 0)
      durableDisk.write(file, Buffer.from(text))
    },
    [Symbol.dispose]: () => durableDisk.close(file),
  }
}

function tree(on: Stage): Record<string, string> {
  return Object.fromEntries(readTree(on.world.project))
}

describe('[4.2] a plan is refused before anything changes', () => {
  const before: Tree = {
    a: { file: 'old' },
    'dir/f': { file: 'x' },
    link: { link: 'dir' },
    '.git/config': { file: 'x' },
  }
  const toNew = (path: string, pre: Value = absent) => [change(path, pre, file('new'))]

  test.each<[string, Refusal['why'], Change[]]>([
    ['has another content than planned', 'changed', toNew('a', file('other'))],
    ['has another mode', 'changed', toNew('a', file('old', 0o755))],
    ['exists and should not', 'changed', toNew('a')],
    ['is gone', 'changed', toNew('none', file('old'))],
    ['has an unknown old value', 'unknown-value', toNew('a', { kind: 'unknown', why: '' })],
    [
      'has an unknown new value',
      'unknown-value',
      [change('a', file('old'), { kind: 'unknown', why: '' })],
    ],
    [
      'has no content in the store',
      'content-missing',
      [change('a', file('old'), file('never put'))],
    ],
    ['is a directory with other files', 'directory-in-the-way', toNew('dir')],
    ['was a file and is a directory', 'directory-in-the-way', toNew('dir', file('old'))],
    ['is behind a link', 'parent-in-the-way', toNew('link/f')],
    ['is below a file', 'parent-in-the-way', toNew('a/b')],
    ['is in the repository', 'protected', toNew('.git/config', file('x'))],
    ['is another spelling of the repository', 'protected', toNew('.GIT/hooks/x')],
  ])('because a path in it %s', async (_, why, changes) => {
    using on = begin(before)
    const untouched = tree(on)
    const outcome = await apply(on, plan(changes))
    expect(outcome).toMatchObject({ kind: 'refused', refusals: [{ path: changes[0]!.path, why }] })
    expect(tree(on)).toEqual(untouched)
    expect(listOperations(on.world.open())).toEqual([])
  })

  test('because only root could read back what it writes', async () => {
    using on = begin(before)
    const outcome = await apply(on, plan([change('a', file('old'), file('new', 0o200))]))
    expect(outcome).toMatchObject(
      process.getuid?.() === 0
        ? { kind: 'done' }
        : { kind: 'refused', refusals: [{ path: 'a', why: 'not-readable' }] },
    )
  })

  const statOf = (path: Buffer, fields: Partial<Stat>, end: string): Stat | null => {
    const stat = durableDisk.stat(path)
    return stat !== null && path.toString().endsWith(end) ? { ...stat, ...fields } : stat
  }

  const mounts = new Set<number>()
  test.each<[string, Refusal['why'], Partial<Disk>]>([
    ['the file has two names', 'hard-linked', { stat: (at) => statOf(at, { links: 2 }, '/a') }],
    [
      'the file is a device',
      'special-file',
      { stat: (at) => statOf(at, { kind: 'special' }, '/a') },
    ],
    ['the file is huge', 'too-big', { stat: (at) => statOf(at, { size: 2 ** 40 }, '/a') }],
    ['the directory is read-only', 'not-writable', { isWritable: () => false }],
    ['the disk is full', 'no-space', { space: () => ({ free: 5, freeFiles: 9, type: 0 }) }],
    [
      'the directory is a mount',
      'other-file-system',
      {
        stat: (at) => statOf(at, { device: 1n }, '/dir'),
        openDirectory: (at, links) => {
          const opened = durableDisk.openDirectory(at, links)
          if (at.toString().endsWith('/dir')) mounts.add(opened)
          return opened
        },
        statOpen: (opened) => {
          const stat = durableDisk.statOpen(opened)
          return mounts.has(opened) ? { ...stat, device: 1n } : stat
        },
      },
    ],
    ['no inodes are left', 'no-space', { space: () => ({ free: 1e9, freeFiles: 2, type: 0 }) }],
  ])('because %s', async (_, why, disk) => {
    using on = begin(before)
    const untouched = tree(on)
    const changes = [...toNew('a', file('old')), ...toNew('dir/f', file('x'))]
    const outcome = await apply(on, plan(changes), { disk })
    expect(outcome).toMatchObject({ kind: 'refused' })
    expect(outcome.kind === 'refused' && outcome.refusals.map((each) => each.why)).toContain(why)
    expect(tree(on)).toEqual(untouched)
  })

  test('because the path is in Retake’s own store', async () => {
    using on = begin({ 'store/f': { file: 'x' } })
    const never = [durableDisk.stat(Buffer.from(`${on.world.project}/store`))!]
    const { result } = await live(on, [], (journal) => {
      putContent(journal.store, Buffer.from('new'))
      return applyPlan(
        { ...journal, root: { ...journal.root, never } },
        plan(toNew('store/f', file('x'))),
      )
    })
    expect(result).toMatchObject({ kind: 'refused', refusals: [{ why: 'protected' }] })
  })

  test('because the conversation has new rows', async () => {
    using on = begin(before)
    writeTree(on.world.path, { 'transcript.jsonl': { file: 'a\nb\n' } })
    const lines = { path: on.transcript, inode: 1n, size: 2, bytes: Buffer.from('c\n') }
    const conversation = appendStep('toy', lines)
    const outcome = await apply(on, plan(toNew('a', file('old')), { conversation }))
    expect(outcome).toEqual({
      kind: 'refused',
      refusals: [{ path: null, why: 'conversation-changed' }],
    })
  })

  test('and all reasons are reported at once', async () => {
    using on = begin(before)
    const outcome = await apply(on, plan([...toNew('a'), ...toNew('dir/f')]))
    expect(outcome).toMatchObject({ refusals: [{ path: 'a' }, { path: 'dir/f' }] })
  })

  test('and a duplicate path is an error', async () => {
    using on = begin(before)
    const twice = plan([...toNew('new'), ...toNew('new')])
    await expect(apply(on, twice)).rejects.toMatchObject({ code: 'plan-invalid' })
  })
})

describe('applying a plan', () => {
  test('records the outcome of each path', async () => {
    using on = begin({ a: { file: 'old' } })
    const outcome = await apply(
      on,
      plan([{ ...change('a', file('old'), file('new')), choice: 'put-back' }]),
    )
    expect(outcome).toMatchObject({
      kind: 'done',
      kept: [],
      operation: {
        verb: 'undo',
        session: 's',
        details: { cells: [1, 2] },
        state: 'committed',
        tidy: true,
        paths: [
          {
            path: 'a',
            pre: file('old'),
            post: file('new'),
            choice: 'put-back',
            outcome: 'applied',
          },
        ],
      },
    })
  })

  test('[I4] leaves a path alone that already has the planned value', async () => {
    using on = begin({ a: { file: 'old' } })
    const outcome = await apply(on, plan([change('a', file('old'), file('old'))]))
    expect(outcome).toMatchObject({ kind: 'done', operation: { paths: [] } })
  })

  test('[I3] is undone by the inverse plan, with modes and empty directories', async () => {
    using on = begin({ 'priv/a': { file: 'old' }, priv: { directory: 0o700 }, x: { file: 'x' } })
    const before = tree(on)
    const path = 'priv' as ProjectPath
    const there = await apply(
      on,
      plan([change('priv/a', file('old'), absent), change('x', file('x'), file('new', 0o755))], {
        directories: { remove: [path] },
      }),
    )
    expect(there.kind).toBe('done')
    expect(Object.keys(tree(on))).toEqual(['x'])
    const back = await apply(
      on,
      plan([change('priv/a', absent, file('old')), change('x', file('new', 0o755), file('x'))], {
        directories: {
          make: [
            { path, mode: 0o700 },
            { path: 'empty' as ProjectPath, mode: 0o775 },
          ],
        },
      }),
    )
    expect(back.kind).toBe('done')
    expect(tree(on)).toEqual({ ...before, empty: 'directory 775' })
  })

  test('[sem.M6] removes a directory only if it is empty', async () => {
    using on = begin({ 'dir/a': { file: 'old' }, 'dir/mine': { file: 'x' } })
    const remove = ['dir' as ProjectPath]
    await apply(on, plan([change('dir/a', file('old'), absent)], { directories: { remove } }))
    expect(Object.keys(tree(on))).toEqual(['dir', 'dir/mine'])
  })

  test('[FT18] works with names that are not UTF-8', async () => {
    using on = begin({})
    const outcome = await apply(on, plan([change('d\udcff/\udcfe', absent, file('new'))]))
    expect(outcome.kind).toBe('done')
    expect(listOperations(on.world.open())[0]!.paths[0]!.path).toBe('d\udcff/\udcfe')
  })

  test('works with many files', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `d${n % 7}/f${n}`)
    using on = begin(Object.fromEntries(names.map((name) => [name, { file: 'old' }])))
    const outcome = await apply(
      on,
      plan(names.map((name) => change(name, file('old'), file('new')))),
    )
    expect(outcome).toMatchObject({ kind: 'done', kept: [] })
    expect(new Set(Object.values(tree(on)))).toEqual(new Set(['directory 755', 'file 644 new']))
  })

  test('tries to keep the group of the replaced file, and continues without permission', async () => {
    using on = begin({ a: { file: 'old' } })
    const asked: number[] = []
    const disk: Partial<Disk> = {
      stat: (path) => {
        const stat = durableDisk.stat(path)
        return path.toString().endsWith('/a') && stat !== null ? { ...stat, group: 4711 } : stat
      },
      changeOwner: (_file, _owner, group) => {
        asked.push(group)
        throw Object.assign(new Error(), { code: 'EPERM' })
      },
    }
    const outcome = await apply(on, plan([change('a', file('old'), file('new'))]), { disk })
    expect(outcome.kind).toBe('done')
    expect(asked).toEqual([4711])
  })
})

describe('[I1] a plan that cannot be completed', () => {
  const two = plan([change('a', file('old'), file('new')), change('b', file('x'), file('new'))])
  const before: Tree = { a: { file: 'old' }, b: { file: 'x' } }

  test('is rolled back when it is interrupted', async () => {
    using on = begin(before)
    const untouched = tree(on)
    const controller = new AbortController()
    const disk: Partial<Disk> = {
      rename(from, to) {
        controller.abort()
        durableDisk.rename(from, to)
      },
    }
    const outcome = await apply(on, two, { disk, signal: controller.signal })
    expect(outcome).toMatchObject({
      kind: 'rolled-back',
      because: { code: 'interrupted' },
      operation: { state: 'rolled-back', because: { code: 'interrupted' } },
    })
    expect(tree(on)).toEqual(untouched)
  })

  test('changes nothing when it is interrupted before it starts', async () => {
    using on = begin(before)
    const outcome = await apply(on, two, { signal: AbortSignal.abort() })
    expect(outcome).toMatchObject({ kind: 'rolled-back', because: { code: 'interrupted' } })
  })

  test('[F11] can be stopped while old contents are saved, and reports refusals across batches together', async () => {
    const names = Array.from({ length: 150 }, (_, n) => `f${n}`)
    using on = begin(Object.fromEntries(names.map((name) => [name, { file: 'old' }])))
    const untouched = tree(on)
    const many = plan(names.map((name) => change(name, file('old'), file('new'))))
    const controller = new AbortController()
    const kept: number[] = []
    const progress: Running['progress'] = ({ phase, done }) => {
      if (phase !== 'keeping') return
      kept.push(done)
      if (done > 0) controller.abort()
    }
    await expect(apply(on, many, { signal: controller.signal, progress })).rejects.toMatchObject({
      code: 'interrupted',
    })
    expect(kept).toEqual([0, 0, 64])
    expect(tree(on)).toEqual(untouched)
    const { result } = await live(on, [], async (journal) => listOperations(journal.store))
    expect(result).toEqual([])

    const others = [change('f1', file('x'), file('new')), change('f149', file('x'), file('new'))]
    const changed = plan(
      many.changes.map((each) => others.find(({ path }) => path === each.path) ?? each),
    )
    expect(await apply(on, changed)).toMatchObject({
      kind: 'refused',
      refusals: [
        { path: 'f1', why: 'changed' },
        { path: 'f149', why: 'changed' },
      ],
    })
    expect(tree(on)).toEqual(untouched)
    expect((await apply(on, many)).kind).toBe('done')
    expect(tree(on)).not.toEqual(untouched)
  })

  test('[FT5] is rolled back when a file is immutable, and names it', async () => {
    using on = begin(before)
    const untouched = tree(on)
    const disk: Partial<Disk> = {
      rename(from, to) {
        if (from.toString().endsWith('/b')) throw Object.assign(new Error(), { code: 'EPERM' })
        durableDisk.rename(from, to)
      },
    }
    const outcome = await apply(on, two, { disk })
    const message = 'b cannot be written: the system does not allow it.'
    expect(outcome).toMatchObject({
      kind: 'rolled-back',
      because: { code: 'no-permission', message },
    })
    expect(tree(on)).toEqual(untouched)
  })

  test('is rolled back with the caller’s rows when they cannot be written', async () => {
    using on = begin(before)
    const untouched = tree(on)
    const commit = () => {
      throw new Error('no such cell')
    }
    const outcome = await apply(on, two, { journal: { commit } })
    expect(outcome).toMatchObject({ kind: 'rolled-back', operation: { state: 'rolled-back' } })
    expect(tree(on)).toEqual(untouched)
  })

  test('changes nothing where hard links do not work', async () => {
    using on = begin(before)
    const untouched = tree(on)
    const disk: Partial<Disk> = {
      link() {
        throw Object.assign(new Error(), { code: 'EPERM' })
      },
    }
    const outcome = await apply(on, two, { disk })
    expect(outcome).toMatchObject({ kind: 'rolled-back', because: { code: 'no-hard-links' } })
    expect(tree(on)).toEqual(untouched)
  })

  test('[FT4] changes nothing when the disk returns other bytes than were written', async () => {
    using on = begin(before)
    const untouched = tree(on)
    const disk: Partial<Disk> = {
      write: (opened, bytes) => durableDisk.write(opened, Buffer.alloc(bytes.length, '?')),
    }
    const outcome = await apply(on, two, { disk })
    expect(outcome).toMatchObject({ kind: 'rolled-back', because: { code: 'disk-error' } })
    expect(tree(on)).toEqual(untouched)
  })

  test('[FT4] is rolled back when a sync fails', async () => {
    using on = begin(before)
    const untouched = tree(on)
    const disk: Partial<Disk> = {
      syncSoon: () => Promise.reject(Object.assign(new Error(), { code: 'EIO' })),
    }
    const outcome = await apply(on, two, { disk })
    expect(outcome).toMatchObject({ kind: 'rolled-back', because: { code: 'disk-error' } })
    expect(tree(on)).toEqual(untouched)
  })

  test('[R13] changes nothing when a content in the store is damaged', async () => {
    using on = begin(before)
    const untouched = tree(on)
    const store = on.world.open()
    const id = putContent(store, Buffer.from('new'))
    store.database.connection.exec(`update content set bytes = x'00' where id = '${id}'`)
    const outcome = await apply(on, two)
    expect(outcome).toMatchObject({ kind: 'rolled-back', because: { code: 'content-damaged' } })
    expect(tree(on)).toEqual(untouched)
  })

  test('[sem.M6] is rolled back completely when a new file blocks one part', async () => {
    using on = begin({ 'cfg/x': { file: 'old' }, other: { file: 'x' } })
    const disk: Partial<Disk> = {
      removeDirectory(path) {
        if (!('cfg/mine' in tree(on)))
          writeTree(on.world.project, { 'cfg/mine': { file: 'theirs' } })
        durableDisk.removeDirectory(path)
      },
    }
    const outcome = await apply(
      on,
      plan([
        change('cfg/x', file('old'), absent),
        change('cfg', absent, file('new')),
        change('other', file('x'), file('new')),
      ]),
      { disk },
    )
    expect(outcome).toMatchObject({ kind: 'rolled-back', because: { code: 'changed-meanwhile' } })
    expect(tree(on)).toEqual({
      cfg: 'directory 755',
      'cfg/mine': 'file 644 theirs',
      'cfg/x': 'file 644 old',
      other: 'file 644 x',
    })
  })
})

describe('[sem.M6] dependent changes are rolled back together', () => {
  test('when another program creates a file where a directory becomes a file', async () => {
    using on = begin({ 'cfg/x': { file: 'old' }, other: { file: 'x' } })
    const disk: Partial<Disk> = {
      removeDirectory(path) {
        durableDisk.removeDirectory(path)
        writeTree(on.world.project, { cfg: { file: 'theirs' } })
      },
    }
    const outcome = await apply(
      on,
      plan([
        change('cfg/x', file('old'), absent),
        change('cfg', absent, file('new')),
        change('other', file('x'), file('new')),
      ]),
      { disk },
    )
    expect(outcome).toMatchObject({ kind: 'rolled-back', because: { code: 'changed-meanwhile' } })
    expect(outcome.kind === 'rolled-back' && outcome.kept).toContainEqual({
      path: 'cfg',
      found: file('theirs'),
    })
    expect(tree(on)).toEqual({ cfg: 'file 644 theirs', other: 'file 644 x' })
    expect(hasContent(on.world.open(), gitId('old') as ContentId)).toBe(true)
  })

  test('when another program saves Foo while it becomes foo', async () => {
    using on = begin({ Foo: { file: 'old' }, other: { file: 'x' } })
    const disk: Partial<Disk> = {
      rename(from, to) {
        if (from.toString().endsWith('/Foo'))
          writeTree(on.world.project, { Foo: { file: 'theirs' } })
        durableDisk.rename(from, to)
      },
    }
    const outcome = await apply(
      on,
      plan([
        change('Foo', file('old'), absent),
        change('foo', absent, file('old')),
        change('other', file('x'), file('new')),
      ]),
      { disk },
    )
    expect(outcome).toMatchObject({
      kind: 'rolled-back',
      kept: [{ path: 'Foo', found: file('theirs') }],
    })
    expect(tree(on)).toEqual({ Foo: 'file 644 theirs', other: 'file 644 x' })
  })
})

describe('[FT7] [J7] a save by another program', () => {
  test('stays at its path, is reported, and the planned content stays in the store', async () => {
    using on = begin({ a: { file: 'old' }, b: { file: 'x' } })
    const disk: Partial<Disk> = {
      rename(from, to) {
        if (from.toString().endsWith('/a')) writeTree(on.world.project, { a: { file: 'theirs' } })
        durableDisk.rename(from, to)
      },
    }
    const outcome = await apply(
      on,
      plan([change('a', file('old'), file('new')), change('b', file('x'), file('new'))]),
      { disk },
    )
    expect(outcome).toMatchObject({
      kind: 'done',
      kept: [{ path: 'a', found: file('theirs') }],
      operation: {
        paths: [{ outcome: 'conflict', found: file('theirs') }, { outcome: 'applied' }],
      },
    })
    expect(tree(on)).toEqual({ a: 'file 644 theirs', b: 'file 644 new' })
    const store = on.world.open()
    for (const content of ['old', 'new', 'theirs'])
      expect(hasContent(store, gitId(content) as ContentId)).toBe(true)
  })

  test('[I7] right after a path changed is seen by the read-back', async () => {
    using on = begin({ a: { file: 'old' } })
    const disk: Partial<Disk> = {
      async syncSoon(opened) {
        await durableDisk.syncSoon(opened)
        if (tree(on)['a'] === 'file 644 new') writeTree(on.world.project, { a: { file: 'theirs' } })
      },
    }
    const outcome = await apply(on, plan([change('a', file('old'), file('new'))]), { disk })
    expect(outcome).toMatchObject({ kind: 'done', kept: [{ path: 'a', found: file('theirs') }] })
  })

  test('during the rollback stays at its path', async () => {
    using on = begin({ a: { file: 'old' }, b: { file: 'x' } })
    const disk: Partial<Disk> = {
      rename(from, to) {
        if (from.toString().endsWith('/b')) throw Object.assign(new Error(), { code: 'EPERM' })
        if (to.toString().endsWith('-back')) writeTree(on.world.project, { a: { file: 'theirs' } })
        durableDisk.rename(from, to)
      },
    }
    const outcome = await apply(
      on,
      plan([change('a', file('old'), file('new')), change('b', file('x'), file('new'))]),
      { disk },
    )
    expect(outcome).toMatchObject({
      kind: 'rolled-back',
      kept: [{ path: 'a', found: file('theirs') }],
    })
    expect(tree(on)).toEqual({ a: 'file 644 theirs', b: 'file 644 x' })
  })

  test('before the rollback is kept, at its path and in the old file that was open', async () => {
    using on = begin({ a: { file: 'old' }, b: { file: 'x' } })
    using editor = holdOpen(on, 'a')
    const disk: Partial<Disk> = {
      rename(from, to) {
        if (!from.toString().endsWith('/b')) return durableDisk.rename(from, to)
        editor.save('late')
        writeTree(on.world.project, { a: { file: 'theirs' } })
        throw Object.assign(new Error(), { code: 'EPERM' })
      },
    }
    const outcome = await apply(
      on,
      plan([change('a', file('old'), file('new')), change('b', file('x'), file('new'))]),
      { disk },
    )
    expect(outcome).toMatchObject({
      kind: 'rolled-back',
      kept: [{ path: 'a', found: file('theirs') }],
    })
    expect(tree(on)).toEqual({ a: 'file 644 theirs', b: 'file 644 x' })
    for (const content of ['old', 'late'])
      expect(hasContent(on.world.open(), gitId(content) as ContentId)).toBe(true)
  })

  test('into the old file after the check is recorded with the operation', async () => {
    using on = begin({ a: { file: 'old' } })
    using editor = holdOpen(on, 'a')
    const disk: Partial<Disk> = {
      link(from, to) {
        durableDisk.link(from, to)
        // The old file was moved and checked. A program that has it open saves now.
        if (to.toString().endsWith('/a')) editor.save('late')
      },
    }
    const outcome = await apply(on, plan([change('a', file('old'), file('new'))]), { disk })
    expect(outcome).toMatchObject({
      kind: 'done',
      operation: { paths: [{ late: [file('late')] }] },
    })
    expect(tree(on)).toEqual({ a: 'file 644 new' })
    expect(hasContent(on.world.open(), gitId('late') as ContentId)).toBe(true)
  })
})

describe('[J8] a plan is applied', () => {
  const nothing = plan([])

  test('only by the holder of the lock', async () => {
    using on = begin({})
    const writer = await takeWriter(on.world.open())
    writer.release()
    await expect(apply(on, nothing, { journal: { writer } })).rejects.toMatchObject({
      code: 'project-locked',
    })
  })

  test('only after an unfinished operation of a crashed process is recovered', async () => {
    using on = begin({ a: { file: 'old' } })
    const store = on.world.open()
    putContent(store, Buffer.from('new'))
    const given = plan([change('a', file('old'), file('new'))])
    await live(on, [{ kind: 'die', at: 5 }], (journal) => applyPlan(journal, given))
    await expect(apply(on, nothing)).rejects.toMatchObject({ code: 'operation-unfinished' })
    const { result } = await live(on, [], recover)
    expect(result).toMatchObject([{ how: 'rolled-back', kept: [] }])
    expect(getOperation(store, result![0]!.operation.id).because?.code).toBe('interrupted')
    expect((await apply(on, nothing)).kind).toBe('done')
  })
})
