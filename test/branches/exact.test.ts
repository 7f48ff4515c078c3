import { expect, test } from 'vitest'
import { openProject } from '#engine'
import { insertOperation, setOperationState } from '#store'
import type { ErrorView, PlanView, ReceiptView, StatusView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import { playedSession } from '../capture/played-session.ts'
import { machineOf } from '../storage/in-process.ts'
import { parseView } from '../cli/schemas.ts'
import { edit, scriptedModel } from '../model/index.ts'
import { scene, type Scene } from '../scene.ts'

function recordFollow(s: Scene): void {
  using project = openProject(machineOf(s), s.project)
  const { store } = project
  const id = insertOperation(store, {
    tag: 'follow',
    verb: 'follow',
    session: 's',
    inverts: null,
    details: {
      version: 1,
      follows: { target: null, tip: null, from: null, size: 0, operation: 1, byShell: false },
    },
    at: Date.now(),
    steps: [],
    conversation: null,
    paths: [],
  })
  setOperationState(store, id, { state: 'committed', tidy: true })
}

test('[F9][sem.V8] --exact restores the whole tree after a turn, lists the lost edits of others, and is undone as a whole', async () => {
  await using s = await scene({
    files: { 'a.txt': '1\n2\n3\n', 'mine.txt': 'mine\n', '.gitignore': 'ignored/\n' },
    git: true,
  })
  const retake = async <T>(...args: string[]): Promise<T> => {
    const { code, stdout } = await s.retake(...args, '--json')
    expect({ args, code, stdout: code === 0 ? '' : stdout }).toEqual({ args, code: 0, stdout: '' })
    return parseView<T>(stdout)
  }

  const start = await s.files()
  const one = { ...start, made: '1\n' }
  const two = { ...start, 'a.txt': '1\ntwo\n3\n' }
  using session = await playedSession(s, { hello: false })
  await session.turn('T1', { bash: ['echo 1 > made'] })
  await session.turn('T2', { bash: ['sed -i s/2/two/ a.txt; rm made'] })
  await session.turn(
    'T3',
    { edit: 'a.txt', old: '3', new: 'three' },
    { bash: ['echo 3 > late; rm mine.txt'] },
  )
  await s.write('a.txt', '1\ntwo\nmine\n')
  await s.write('own.txt', 'own\n')
  await s.write('ignored/x', 'secret\n')
  const three = await s.files()

  // A settled pending move is in the record too, and moved no cell.
  recordFollow(s)
  const plan = await retake<PlanView>('rewind', '2', '--exact', '--dry-run')
  expect(plan).toMatchObject({ verb: 'exact', turns: 1, conversation: 'move' })
  expect(plan.files.map(({ path, verb, why }) => `${verb} ${path} ${why ?? ''}`.trim())).toEqual([
    'restore a.txt removes-outside-edits',
    'delete late',
    'create mine.txt',
    'delete own.txt removes-outside-edits',
  ])
  expect(await s.files()).toEqual(three)
  const lost =
    'removes changes that no turn made: a.txt, own.txt; undoing the operation restores them'
  expect(plan.warnings).toEqual([lost])
  const unasked = await s.retake('rewind', '2', '--exact', '--json')
  expect([unasked.code, parseView<ErrorView>(unasked.stdout)]).toMatchObject([
    4,
    { code: 'removes-outside-edits', message: `Nothing was changed: it ${lost}.` },
  ])
  expect(await s.files()).toEqual(three)
  expect(await retake<ReceiptView>('rewind', '2', '--exact', '--yes')).toMatchObject({
    turnsUndone: 1,
    warnings: [lost],
  })
  expect(await s.files()).toEqual({ ...two, 'ignored/x': 'secret\n' })
  expect(await retake<StatusView>('status')).toMatchObject({ head: { number: 2 }, differing: [] })
  await retake('op', 'undo')
  expect(await s.files()).toEqual(three)

  for (const [turn, files] of [
    ['1', one],
    ['2', two],
    ['0', start],
  ] as const) {
    await retake('rewind', turn, '--exact', '--yes')
    expect(await s.files()).toEqual({ ...files, 'ignored/x': 'secret\n' })
    expect((await retake<StatusView>('status')).differing.map(({ number }) => number)).toEqual(
      turn === '0' ? [1] : [],
    )
  }
  expect(await retake<ReceiptView>('rewind', '0', '--exact')).toMatchObject({ operation: null })
  // To return, undo the operations, newest first.
  for (const files of [two, one, three]) {
    await retake('op', 'undo')
    expect(await s.files()).toEqual({ ...files, 'ignored/x': 'secret\n' })
  }
})

test('[sem.A6][F7] without a scan after that turn, --exact says why it is impossible and changes nothing', async () => {
  await using s = await scene({ files: { 'a.txt': '1\n2\n' }, git: true })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on('T1', [edit('a.txt', '1', 'one'), 'done'])
  model.on('T2', [edit('a.txt', '2', 'two'), 'done'])
  const { sessionId } = await agent.prompt('T1', { recorded: true })
  await agent.prompt('T2', { resume: sessionId, recorded: true })
  const refused = async (...args: string[]) => {
    const { code, stdout } = await s.retake('rewind', ...args, '--exact', '--json')
    const { code: error, message } = parseView<ErrorView>(stdout)
    return [code, error, message]
  }
  expect(await refused('1')).toEqual([1, 'no-snapshot', 'Retake has no snapshot of this project.'])
  await s.retake('install')
  await agent.prompt('T3', { resume: sessionId })
  expect(await refused('1')).toEqual([1, 'no-snapshot', 'There is no snapshot from right after turn 1.']) // prettier-ignore
  expect(await refused('0')).toEqual([1, 'no-snapshot', 'There is no snapshot from before the first turn.']) // prettier-ignore
  expect((await refused('2', '--only', 'chat')).slice(0, 2)).toEqual([2, 'usage'])
  await s.write('a.txt', 'mine\n')
  const files = ['--exact', '--only', 'files', '--yes', '--json']
  expect((await s.retake('rewind', '2', ...files)).code).toBe(0)
  expect(await s.read('a.txt')).toBe('one\ntwo\n')
})
