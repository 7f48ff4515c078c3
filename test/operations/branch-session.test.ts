import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogView, PlanView, ReceiptView, SessionsView } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import { agent as delegate, edit, write } from '../model/index.ts'
import { footprint } from './footprint.ts'
import { playSession } from './play-session.ts'
import { type Played, playedOnce } from './played.ts'
import { recallOrRun } from './recorded-run.ts'

const options = {
  files: { a: '1\n' },
  turns: {
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [delegate('sub work'), write('b', 'b\n'), 'did T2'],
    T3: [[edit('a', 'one', 'three'), write('c', 'c\n')], 'did T3'],
  },
  also: { 'sub work': [write('sub', 's\n'), 'sub done'] },
}
const start = playedOnce(options)
const startWithCheckpoints = playedOnce({ ...options, checkpointing: true })

const uptoT2 = [
  'user: T1',
  'assistant: use Edit a',
  'user: result The file a has been updated successfully.',
  'assistant: did T1',
  'user: T2',
  'assistant: use Agent sub work',
  // The rest is the agent's wording.
  expect.stringContaining('user: result '),
  'assistant: use Write b',
  'user: result File created successfully at: b',
  'assistant: did T2',
]

/** Makes a branch; only the files that the receipt names may change. */
async function branch(p: Played, ...args: string[]): Promise<{ id: string; receipt: ReceiptView }> {
  const before = await footprint(p.s)
  const { code, stdout, stderr } = await p.s.retake('branch', ...args, '--session', p.id, '--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  const receipt = parseView<ReceiptView>(stdout)
  const after = await footprint(p.s)
  const [made] = receipt.branches!
  for (const [path, bytes] of before.agent) expect(after.agent.get(path)).toEqual(bytes)
  for (const path of after.agent.keys())
    if (!before.agent.has(path)) expect(path).toContain(made!.id)
  for (const [path, entry] of before.project)
    if (!receipt.filesReverted.includes(path)) expect(after.project.get(path), path).toEqual(entry)
  return { id: made!.id, receipt }
}

async function sessions(p: Played): Promise<SessionsView['sessions']> {
  const { stdout } = await p.s.retake('sessions', '--json')
  return parseView<SessionsView>(stdout).sessions
}

/** What the real agent sends to the model when it continues a session. */
async function goOn(p: Played, id: string, prompt: string): Promise<string[]> {
  await p.agent.prompt(prompt, { resume: id, recorded: true })
  return p.model.conversation()
}

test('[W2][W6][W7][W8][W11] a branch is a session of its own that the real agent continues', async () => {
  const p = await startWithCheckpoints()
  const [files, first] = [await p.files(), await p.transcript()]
  const [, second] = await p.log()

  const { id, receipt } = await branch(p, '2', '--title', 'My  try')

  expect(receipt).toMatchObject({
    verb: 'branch',
    session: p.id,
    to: { id: second!.id, number: 2 },
    filesReverted: ['a', 'c'],
    conversation: 'unchanged',
    branches: [{ id, label: 'My try' }],
  })
  const { c: _, ...rest } = files
  expect(await p.files()).toEqual({ ...rest, a: 'one\n' })
  const [made, parent] = await sessions(p)
  expect(made).toMatchObject({
    id,
    title: 'My try',
    turns: 2,
    head: second!.id,
    parent: { session: p.id, turn: second!.id },
    lineage: {
      parentSessionId: p.id,
      rewindFromTurn: 2,
      created: made!.updatedAt,
      modified: made!.updatedAt,
      messageCount: 7,
      firstPrompt: 'T1',
    },
  })
  expect(parent).toMatchObject({ id: p.id, turns: 3, title: 'T1' })
  expect(parent!.lineage).toBeUndefined()
  const redo = await p.s.retake('redo', '--session', id)
  expect(redo.stdout).toContain(`retake redo --only files --session ${p.id.slice(0, 8)}`)

  p.model.on('B1', [edit('a', 'one', 'branch'), 'did B1'])
  const prompts = ['B1', 'B2']
  const { s, model, agent } = p
  await recallOrRun({
    s,
    model,
    session: id,
    asked: { prompts, checkpointing: true },
    run: () => playSession({ s, agent, prompts, checkpointing: true, resume: id }),
  })
  expect(p.model.conversation()).toEqual([
    ...uptoT2,
    'user: B1',
    'assistant: use Edit a',
    'user: result The file a has been updated successfully.',
    'assistant: did B1',
    'user: B2',
  ])
  // The first session is where it was.
  expect(await p.transcript()).toEqual(first)
  expect(await p.line()).toEqual(['T1', 'T2', 'T3'])
  expect(await p.s.read('a')).toBe('branch\n')

  // The new prompt would be lost, so the branch stays, and its files too.
  expect(await p.refused('op', 'undo')).toMatchObject({ exit: 1, code: 'branch-went-on' })
  // Both sessions share the turns: the files of T2 can be undone from the branch.
  const { stdout } = await p.s.retake('rewind', '1', '--session', id, '--json')
  expect(parseView<ReceiptView>(stdout)).toMatchObject({ filesReverted: ['a', 'b', 'sub'] })
  expect(await p.s.read('a')).toBe('one\n')
})

test('[W7][sem.O2] op undo removes a branch without prompts of its own, and another op undo restores it', async () => {
  const p = await start()
  const [files, before] = [await p.files(), await footprint(p.s)]

  const { id } = await branch(p, '1', '--only', 'chat')
  expect(await p.files()).toEqual(files)
  const made = await footprint(p.s)
  expect([...made.agent.keys()].filter((path) => !before.agent.has(path)).length).toBeGreaterThan(1)

  // The newest session is now the branch; the operation belongs to the project.
  const undone = await p.s.retake('op', 'undo', '--json')
  expect(parseView<ReceiptView>(undone.stdout)).toMatchObject({ verb: 'op-undo', session: p.id })
  const gone = await footprint(p.s)
  expect([...gone.agent.keys()]).toEqual([...before.agent.keys()])

  expect((await p.s.retake('op', 'undo', '2', '--json')).code).toBe(0)
  const again = await footprint(p.s)
  expect([...again.agent.keys()]).toEqual([...made.agent.keys()])
  expect((await sessions(p)).map((session) => session.parent?.session)).toContain(p.id)
  expect((await goOn(p, id, 'C1')).at(-1)).toBe('user: C1')
})

test('[W9][W11] a branch of a branch, and one that begins with an undone turn', async () => {
  const p = await start()
  await p.run('rewind', '1')

  const first = await branch(p, '3')
  expect(first.receipt.filesReverted).toEqual(['a', 'b', 'c', 'sub'])
  expect((await p.status()).head).toMatchObject({ number: 1 })
  const { stdout } = await p.s.retake('branch', '2', '--session', first.id, '--json')
  const second = parseView<ReceiptView>(stdout).branches![0]!

  expect((await sessions(p)).map(({ id, title, parent }) => [id, title, parent?.session])).toEqual([
    [second.id, 'T1 (Branch) (Branch)', first.id],
    [first.id, 'T1 (Branch)', p.id],
    [p.id, 'T1', undefined],
  ])
  expect((await goOn(p, second.id, 'C1')).slice(0, -1)).toEqual(uptoT2)
})

test('[W15][sem.C2] a branch can begin before or after a compaction', async () => {
  const p = await start()
  await p.sayAll({ '/compact': 'unused', T4: ['did T4'] })
  const now = p.model.conversation()

  const before = await branch(p, '2', '--only', 'chat')
  expect((await goOn(p, before.id, 'C1')).slice(0, -1)).toEqual(uptoT2)

  const after = await branch(p, '4', '--only', 'chat')
  expect((await goOn(p, after.id, 'C2')).slice(0, -1)).toEqual([...now, 'assistant: did T4'])
  // The turns before the summary were copied too, so the branch can go back to them.
  expect((await p.s.retake('rewind', '2', '--session', after.id, '--only', 'chat')).code).toBe(0)
  const { stdout } = await p.s.retake('log', '--session', after.id, '--json')
  expect(parseView<LogView>(stdout)).toMatchObject({
    head: { number: 2 },
    turns: [
      { prompt: 'T1', state: 'active', summarized: false },
      { prompt: 'T2', state: 'active', summarized: false },
      { prompt: 'T3', state: 'undone' },
      { prompt: 'T4', state: 'undone' },
      { prompt: 'C2', state: 'undone' },
    ],
  })
})

test('[W7] a branch of a session that was continued elsewhere is stored beside it, and resumes from anywhere', async () => {
  const p = await start()
  const elsewhere = join(p.s.root, 'elsewhere')
  await mkdir(elsewhere)
  await p.agent.prompt('T4', { resume: p.id, cwd: elsewhere, recorded: true })

  const { id } = await branch(p, '4', '--only', 'chat')

  const [at, parent] = [await p.agent.transcript(id), await p.agent.transcript(p.id)]
  expect(dirname(at.path)).toBe(dirname(parent.path))
  // The tests above resume from the project's directory; this one from the other:
  await p.agent.prompt('on', { resume: id, cwd: elsewhere, recorded: true })
  expect(p.model.userTexts()).toEqual(['T1', 'T2', 'T3', 'T4', 'on'])
  expect((await p.agent.transcript(p.id)).bytes).toEqual(parent.bytes)
})

test('[W5][sem.C2] the plan says what a branch would do, and wrong arguments change nothing', async () => {
  const p = await start()
  const plan = await p.read<PlanView>('branch', '2', '--dry-run')
  expect(plan).toMatchObject({
    verb: 'branch',
    to: { number: 2 },
    conversation: 'none',
    branches: [{ label: 'T1 (Branch)' }],
  })
  expect(plan.files.map(({ path, verb }) => `${verb} ${path}`)).toEqual(['restore a', 'delete c'])
  expect(await p.refused('branch', '7')).toMatchObject({ exit: 6, code: 'turn-not-found' })
  expect(await p.refused('branch', '2', '--title', ' ')).toMatchObject({ exit: 2, code: 'usage' })
  expect(await p.refused('branch', '2', '--only', 'files')).toMatchObject({ exit: 2 })
  await p.s.write('a', 'mine\n')
  expect(await p.refused('branch', '2')).toMatchObject({ exit: 4, code: 'conflict' })
})

test('[sem.C1] after a branch took the files back, redo in the first session says how to redo them', async () => {
  const p = await start()
  const files = await p.files()
  await branch(p, '1')
  const { nothing } = await p.run('redo')
  expect(nothing).toMatch(/file changes of later turns are undone.*`retake redo --only files`/u)
  await p.run('redo', '2', '--only', 'files')
  expect(await p.files()).toEqual(files)
})
