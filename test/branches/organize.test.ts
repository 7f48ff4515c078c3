import { expect, test } from 'vitest'
import type {
  BranchesView,
  CheckpointsView,
  CompareView,
  LogView,
  OperationView,
  PlanView,
  StashShowView,
  StashView,
  TreeView,
} from '#protocol'
import { edit, write } from '../model/index.ts'
import { type Played, playedOnce } from '../operations/played.ts'

const lines = (...each: string[]): string => `${each.join('\n')}\n`
let u = ''
let n = ''

/** T1 – T2 – T3 is the trunk, U2 – U3 forks after T1, N3 after U2; the session is at N3. */
const threeBranches = playedOnce({
  files: { a: lines('1', 'a', '2', 'b', '3', 'c', '4', 'd', '5') },
  turns: {
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [[edit('a', '2', 'two'), write('dir/b', 'b\n')], 'did T2'],
    T3: [edit('a', '3', 'three'), 'did T3'],
  },
  async after(p) {
    await p.run('undo', '2')
    await p.sayAll({
      U2: [edit('a', '4', 'four'), 'did U2'],
      U3: [edit('a', '5', 'five'), 'did U3'],
    })
    await p.run('undo')
    await p.say('N3', ['did N3'])
    const { branches: made } = await p.read<TreeView>('tree')
    const idOf = (prompt: string) => made.find(({ turns }) => turns[0]!.prompt === prompt)!.id
    u = idOf('U2')
    n = idOf('N3')
  },
})

const branches = async (p: Played) => (await p.read<BranchesView>('branches')).branches

/** Everything that the commands in this file can change. */
const said = async (p: Played): Promise<object> => ({
  branches: await branches(p),
  tree: await p.read<TreeView>('tree'),
})

test('[W11][W12][W17][K1] rename, archive, canonical and delete touch no file or transcript line, and op undo reverses each', async () => {
  const p = await threeBranches()
  expect(
    (await branches(p)).map(({ label, forkNumber, turns, length, current, files }) => [
      label, forkNumber, turns, length, current, files.files,
    ]),
  ).toEqual([
    ['main', null, 3, 3, false, 2],
    [u.slice(0, 8), 1, 2, 3, false, 1],
    [n.slice(0, 8), 2, 1, 3, true, 0],
  ]) // prettier-ignore
  const start = await said(p)
  const files = await p.files()
  const undoable = async (args: string[], check: () => Promise<void>): Promise<void> => {
    const before = await said(p)
    expect(await p.run(...args)).toMatchObject({ filesReverted: [], conversation: 'unchanged' })
    await check()
    const after = await said(p)
    expect(await p.run('op', 'undo')).toMatchObject({ verb: 'op-undo' })
    expect(await said(p), args.join(' ')).toEqual(before)
    // Undoing the undo is the redo.
    const { operations } = await p.read<{ operations: OperationView[] }>('op', 'log')
    await p.run('op', 'undo', String(operations[0]!.id))
    expect(await said(p), args.join(' ')).toEqual(after)
  }

  await undoable(['branch', 'rename', u.slice(0, 5), 'try JWT'], async () => {
    expect((await branches(p))[1]).toMatchObject({ id: u, name: 'try JWT', label: 'try JWT' })
    expect(await p.run('branch', 'rename', 'try JWT', 'try JWT')).toMatchObject({ operation: null })
  })
  await undoable(['branch', 'archive', 'try JWT', 'main'], async () => {
    expect((await branches(p)).map(({ archived }) => archived)).toEqual([false, true, true])
  })
  await undoable(['branch', 'archive', 'try JWT', 'main', '--off'], async () => {
    expect((await branches(p)).map(({ archived }) => archived)).toEqual([false, false, false])
  })
  await undoable(['branch', 'canonical', n], async () => {
    expect(
      (await branches(p)).map(({ label, canonical, archived }) => [label, canonical, archived]),
    ).toEqual([
      [n.slice(0, 8), true, false],
      ['try JWT', false, false],
      ['main', false, true],
    ])
  })
  const plan = await p.read<PlanView>('branch', 'delete', 'try JWT', 'main', '--dry-run')
  expect(plan).toMatchObject({ verb: 'branch-delete', turns: 3, files: [], conversation: 'none' })
  // Only its own turns go: T1 and U2 also belong to N3.
  await undoable(['branch', 'delete', 'try JWT', 'main'], async () => {
    const { turns } = await p.read<LogView>('log')
    expect(turns.map(({ prompt }) => prompt)).toEqual(['T1', 'U2', 'N3'])
    expect((await branches(p)).map(({ id }) => id)).toEqual([n])
    expect(await p.refused('switch', 'main')).toMatchObject({ code: 'branch-not-found', exit: 6 })
  })
  expect(await p.line()).toEqual(['T1', 'U2', 'N3'])
  // Redo never follows a deleted branch.
  await p.run('undo', '2')
  await p.run('redo', '--all')
  expect(await p.sent()).toEqual(['T1', 'U2', 'N3'])

  // An older operation can be undone, because no later one concerns the same branches.
  expect(await p.files()).toEqual(files)
  const { operations } = await p.read<{ operations: OperationView[] }>('op', 'log')
  for (const { verb, state, id } of operations)
    if (verb.startsWith('branch-') && state === 'done') await p.run('op', 'undo', String(id))
  expect(await said(p)).toEqual(start)
})

test('[K1][W17] the current branch, and one that an agent has open, cannot be deleted', async () => {
  const p = await threeBranches()
  for (const verb of [
    ['delete', n],
    ['archive', u, n],
    ['delete', 'main', n],
  ])
    expect(await p.refused('branch', ...verb)).toMatchObject({ code: 'branch-current', exit: 1 })
  await p.run('switch', 'main')
  expect(await p.refused('branch', 'canonical', u)).toMatchObject({
    code: 'branch-current',
    hint: expect.stringContaining('retake switch'),
  })
  expect(await p.refused('branch', 'delete', 'nowhere')).toMatchObject({ code: 'branch-not-found' })
  expect(await p.refused('op', 'undo', '99')).toMatchObject({ code: 'operation-not-found' })

  // An open session can be named, but turns that it still shows cannot be deleted.
  p.live = true
  const tui = await p.agent.interactive({ resume: p.id })
  await expect.poll(async () => (await p.status()).live, { timeout: 30_000 }).toBe('idle')
  expect(await p.refused('branch', 'delete', n)).toMatchObject({ code: 'session-live', exit: 5 })
  expect(await p.run('checkpoint', 'meanwhile')).toMatchObject({ conversation: 'unchanged' })
  await tui.exit()
  p.live = false

  // Two branches cannot share a name, not even after an undo.
  await p.run('branch', 'rename', u, 'one')
  const renamed = await p.run('branch', 'rename', u, 'two')
  await p.run('branch', 'rename', n, 'one')
  expect(await p.refused('op', 'undo', String(renamed.operation))).toMatchObject({
    code: 'name-taken',
  })
})

test('[W18] a checkpoint works wherever a turn does, survives restarts, and can be deleted', async () => {
  const p = await threeBranches()
  await p.run('checkpoint', 'works', '--turn', '2')
  expect(await p.run('checkpoint')).toMatchObject({ name: 'point-1', to: { number: 3 } })
  await p.run('checkpoint', 'on main', '--turn', 'main:3')
  expect(await p.run('checkpoint', 'works', '--turn', '2')).toMatchObject({ operation: null })
  expect((await p.read<CheckpointsView>('checkpoints')).checkpoints).toMatchObject([
    { name: 'works', turn: { number: 2 }, prompt: 'U2' },
    { name: 'point-1', turn: { number: 3 }, prompt: 'N3' },
    { name: 'on main', turn: { number: null }, prompt: 'T3', branch: { label: 'main' } },
  ])
  expect((await p.log()).map(({ checkpoint }) => checkpoint ?? '')).toEqual([
    '', '', 'on main', 'works', '', 'point-1',
  ]) // prettier-ignore

  expect(await p.run('rewind', 'works')).toMatchObject({ turnsUndone: 1, to: { number: 2 } })
  expect(await p.line()).toEqual(['T1', 'U2'])
  expect(await p.run('rewind', '--before', 'works')).toMatchObject({ to: { number: 1 } })
  await p.run('switch', 'main', '--turn', 'on main')
  expect(await p.line()).toEqual(['T1', 'T2', 'T3'])
  expect(await p.read('show', 'works')).toMatchObject({ turn: { prompt: 'U2' } })
  expect(await p.refused('rewind', 'works')).toMatchObject({ code: 'turn-not-found' })

  expect(await p.run('checkpoint', 'works', '--delete')).toMatchObject({ name: 'works' })
  expect(await p.refused('show', 'works')).toMatchObject({ code: 'turn-not-found', exit: 6 })
  await p.run('op', 'undo')
  expect(await p.read('show', 'works')).toMatchObject({ turn: { prompt: 'U2' } })
  expect(await p.refused('checkpoint', 'nobody', '--delete')).toMatchObject({
    code: 'checkpoint-not-found',
    exit: 6,
  })
  for (const name of ['3', 'cafe', '0', 'main:3', 'a..b', ' x', ''])
    expect(await p.refused('checkpoint', name)).toMatchObject({
      code: 'name-not-possible',
      exit: 2,
    })
  for (const name of ['main', 'works'])
    expect(await p.refused('checkpoint', name)).toMatchObject({ code: 'name-taken' })
  expect(await p.refused('branch', 'rename', 'main', 'works')).toMatchObject({ code: 'name-taken' })
})

test('[W19] the stash lists and shows turns left behind; redo or a switch brings them back', async () => {
  const p = await threeBranches()
  const entries = async () =>
    (await p.read<StashView>('stash')).entries.map(({ id, verb, turns, where }) => [
      id,
      verb,
      turns.map(({ prompt }) => prompt).join(' '),
      where === 'ahead' ? where : where.label,
    ])
  const start = await p.files()
  const [uLabel, nLabel] = [u.slice(0, 8), n.slice(0, 8)]
  expect(await entries()).toEqual([
    [2, 'undo', 'U3', uLabel],
    [1, 'undo', 'T2 T3', 'main'],
  ])
  await p.run('undo')
  expect(await entries()).toEqual([[3, 'undo', 'N3', 'ahead'], [2, 'undo', 'U3', uLabel], [1, 'undo', 'T2 T3', 'main']]) // prettier-ignore
  expect(await p.run('stash', 'restore', '3')).toMatchObject({ verb: 'rewind', turnsRedone: 1 })
  expect(await p.files()).toEqual(start)

  const shown = await p.read<StashShowView>('stash', 'show', '1')
  expect(shown.entry).toMatchObject({
    from: { number: null },
    to: { number: 1 },
    turns: [{ prompt: 'T2', files: [{ path: 'a' }, { path: 'dir/b' }] }, { prompt: 'T3' }],
  })
  const plan = await p.read<PlanView>('stash', 'restore', '1', '--dry-run')
  expect(plan).toMatchObject({ verb: 'switch', turns: 4, branches: [{ label: 'main' }] })
  await p.run('stash', 'restore', '1')
  expect(await p.line()).toEqual(['T1', 'T2', 'T3'])
  expect(await entries()).toEqual([
    [5, 'switch', 'U2 N3', nLabel],
    [2, 'undo', 'U3', uLabel],
  ])
  // A turn whose operation was undone is not in the stash, and a deleted one is not offered.
  await p.run('op', 'undo')
  expect(await p.files()).toEqual(start)
  await p.run('branch', 'delete', 'main')
  expect(await entries()).toEqual([[2, 'undo', 'U3', uLabel]])
  expect(await p.refused('stash', 'restore', '1')).toMatchObject({
    code: 'stash-not-found',
    exit: 6,
  })
  expect(await p.refused('stash', 'show', 'x')).toMatchObject({ code: 'usage', exit: 2 })
})

test('[W13] compare shows the fork, the turns of each line and the files that differ', async () => {
  const p = await threeBranches()
  const report = await p.read<CompareView>('compare', 'main', n)
  expect(report).toMatchObject({
    fork: { number: 1, prompt: 'T1' },
    sides: [
      {
        kind: 'branch',
        branch: { label: 'main' },
        turns: [
          { prompt: 'T2', number: 2 },
          { prompt: 'T3', number: 3 },
        ],
        figures: { turns: 2, messages: 6, files: 2, added: 3, removed: 2 },
      },
      { turns: [{ prompt: 'U2' }, { prompt: 'N3' }], figures: { turns: 2, files: 1, added: 1 } },
    ],
    files: [
      { path: 'a', changedBy: 'both', added: 3, removed: 3 },
      { path: 'dir/b', changedBy: 'first', added: 0, removed: 1 },
    ],
  })
  // Swapped arguments swap the result.
  const mirrored = await p.read<CompareView>('compare', n, 'main')
  expect(mirrored.files.map(({ added, removed }) => [removed, added])).toEqual(
    report.files.map(({ added, removed }) => [added, removed]),
  )
  const diff = await p.read<{ files: { path: string }[] }>('diff', `main..${n}`)
  expect(diff.files).toEqual(report.files.map(({ path, hunks }) => ({ path, hunks })))
  expect(await p.read<CompareView>('compare', '1', 'main:2')).toMatchObject({
    sides: [{ turns: [] }, { turns: [{ prompt: 'T2' }] }],
    files: [{ path: 'a' }, { path: 'dir/b' }],
  })

  // Another session of the project, forked by the real agent.
  const { sessionId } = await p.agent.prompt('F4', {
    resume: p.id,
    args: ['--fork-session'],
    recorded: true,
  })
  expect(await p.read<CompareView>('compare', 'main', sessionId)).toMatchObject({
    fork: { prompt: 'T1' },
    sides: [{ session: p.id }, { kind: 'session', session: sessionId, turns: [{ prompt: 'U2' }, { prompt: 'N3' }, { prompt: 'F4' }] }],
  }) // prettier-ignore
  expect(await p.refused('compare', 'main', 'nobody')).toMatchObject({ code: 'turn-not-found' })
})

test('[B12] over the limit Retake creates no branch session, and says what can be archived', async () => {
  const p = await threeBranches()
  await p.s.retake('settings', 'set', 'branchLimit', '4')
  expect((await p.s.retake('branch', '1', '--only', 'chat', '--session', p.id)).code).toBe(0)
  expect(await p.refused('branch', '1', '--only', 'chat')).toMatchObject({
    code: 'too-many-branches',
    hint: expect.stringContaining(`retake branch archive ${u.slice(0, 8)}`),
  })
  await p.run('branch', 'archive', u)
  expect((await p.s.retake('branch', '1', '--only', 'chat', '--session', p.id)).code).toBe(0)
  const { stdout } = await p.s.retake('branches', '--session', p.id)
  expect(stdout).not.toContain('limit')
})
