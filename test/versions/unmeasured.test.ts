import { chmod, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogView, PlanView, ReceiptView, SessionsView } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import { leave, opened } from '../live/opened.ts'
import { edit } from '../model/index.ts'
import { type Played, playedOnce } from '../operations/played.ts'
import { calledVersion, machineWith, pretend } from './pretend.ts'

const start = playedOnce({
  files: { a: '1\n' },
  turns: {
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [edit('a', 'one', 'two'), 'did T2'],
    T3: [edit('a', 'two', 'three'), 'did T3'],
  },
})

/** The user's prompts that the real agent sends to the model when it continues a session. */
async function sentBy(p: Played, session: string): Promise<string[]> {
  await p.agent.probe(session)
  return p.model.userTexts().filter((text) => text !== 'probe')
}

/** The prompts of a session that Retake shows. */
async function lineOf(p: Played, session: string): Promise<string[]> {
  const { stdout } = await p.s.retake('log', '--session', session, '--json')
  const { turns } = parseView<LogView>(stdout)
  return turns.filter(({ state }) => state === 'active').map(({ prompt }) => prompt)
}

async function begin(script: (p: Played) => string | null) {
  const p = await start()
  await pretend(p, '9.9.9')
  return { p, m: await machineWith(p, script(p)) }
}

test('[sem.C2] an untested version is tried once, and moved in place if it obeys', async () => {
  const { p, m } = await begin((each) => calledVersion(each, '9.9.9'))

  // Moving only files runs no trial.
  expect(await m.plan('undo', '--only', 'files')).toMatchObject({ conversation: 'none' })
  expect(await m.calls()).toEqual([])

  const plan = await m.plan('undo')
  expect(plan).toMatchObject({ conversation: 'move', warnings: [] })
  expect(plan).not.toHaveProperty('continues')
  expect(await m.calls()).toEqual(['--version', '-p', '-p'])

  expect(await m.run('undo', '2')).toMatchObject({ turnsUndone: 2, conversation: 'moved' })
  expect({ sent: await p.sent(), files: await p.files() }).toMatchObject({
    sent: ['T1'],
    files: { a: 'one\n' },
  })
  expect(await m.run('redo', '--all')).toMatchObject({ turnsRedone: 2, conversation: 'moved' })
  expect(await p.line()).toEqual(['T1', 'T2', 'T3'])
  // The result was kept, and nothing else of the trial.
  expect(await m.calls()).toHaveLength(3)
  const left = await readdir(join(p.s.env['XDG_CACHE_HOME']!, 'retake'))
  expect(left.filter((name) => name.startsWith('scratch'))).toEqual([])
  // It uses its own home: the trial's sessions are not among the user's.
  expect(await p.agent.sessions()).toContain(p.id)
})

test('[sem.C2] without a program to try, the conversation continues in a new session, and the receipt says so', async () => {
  const { p, m } = await begin(() => null)
  const before = await p.transcript()
  expect(await m.plan('undo')).toMatchObject({
    conversation: 'none',
    continues: {
      because: expect.stringMatching(/^Claude Code 9\.9\.9 is not supported by this Retake/),
    },
  })

  const { continues, ...receipt } = await m.run('undo')
  expect(receipt).toMatchObject({ verb: 'undo', turnsUndone: 1, conversation: 'unchanged' })
  expect({ before: await p.transcript(), files: await p.files() }).toMatchObject({
    before,
    files: { a: 'two\n' },
  })
  // `op undo` removes a session without new prompts; another op undo creates it again.
  const { operation } = await m.run('op', 'undo')
  expect({ files: await p.files(), sessions: await p.agent.sessions() }).toMatchObject({
    files: { a: 'three\n' },
    sessions: [p.id],
  })
  // A session that Retake itself removed is not reported as missing.
  const { stdout } = await p.s.retake('sessions', '--json')
  expect(parseView<SessionsView>(stdout).lost).toEqual([])
  await m.run('op', 'undo', String(operation))
  expect(await p.files()).toMatchObject({ a: 'two\n' })
  expect(await sentBy(p, continues!.session)).toEqual(['T1', 'T2'])
  expect(await p.transcript()).toEqual(before)

  const text = await p.s.retake('undo', '--session', p.id, { env: { PATH: '/nowhere' } })
  expect(text.stdout).toMatch(
    /Claude Code 9\.9\.9 is not supported .*: the conversation continues in a new session, “.* \(Branch\)”, [0-9a-f-]{36}\. This session stays/,
  )
  expect(text.stdout).toMatch(/Run `claude --resume [0-9a-f-]{36}` to continue there/)
})

test('[sem.C2] the same for redo, rewind and switch; what a new session cannot do is refused', async () => {
  const p = await start()
  await p.run('undo')
  await p.say('other', ['did other'])
  await p.run('undo')
  await pretend(p, '9.9.9')
  const m = await machineWith(p, null)
  const before = await p.transcript()

  /** Runs it, checks where the result points, and moves the files back. */
  const goes = async (...args: string[]) => {
    const receipt: ReceiptView = await m.run(...args)
    const line = await lineOf(p, receipt.continues!.session)
    const { a } = await p.files()
    await m.run('op', 'undo', '--only', 'files')
    return { ...receipt, line, a }
  }
  const done = [await goes('redo'), await goes('rewind', '1'), await goes('switch', 'main')]
  expect(done).toMatchObject([
    { turnsRedone: 1, line: ['T1', 'T2', 'other'], a: 'two\n' },
    { turnsUndone: 1, line: ['T1'], a: 'one\n' },
    { verb: 'switch', line: ['T1', 'T2', 'T3'], a: 'three\n' },
  ])
  expect(await sentBy(p, done[2]!.continues!.session)).toEqual(['T1', 'T2', 'T3'])
  expect(await p.transcript()).toEqual(before)

  for (const flag of ['--keep-prompt', '--whole']) {
    const { stdout } = await p.s.retake('undo', '2', flag, '--session', p.id, '--json', {
      env: { PATH: '/nowhere' },
    })
    expect(JSON.parse(stdout)).toMatchObject({ code: 'version-unknown' })
  }
})

test('[sem.C2] an open session of such a version has no pending move: the new session can be continued at once', async () => {
  const { p, m } = await begin(() => null)
  const tui = await opened(p)
  const { continues, conversation } = await m.run('undo')
  expect({ conversation, files: await p.files() }).toMatchObject({
    conversation: 'unchanged',
    files: { a: 'two\n' },
  })
  expect(await lineOf(p, continues!.session)).toEqual(['T1', 'T2'])
  await leave(p, tui, '/exit')
  expect(await p.status()).toMatchObject({ head: { number: 3 }, pending: null })
})

test('[sem.C2] a program that does not obey, or is another version, is not trusted', async () => {
  const { p, m } = await begin(() => 'echo 9.9.9')
  expect(await m.plan('undo')).toMatchObject({
    continues: { because: expect.stringContaining('in a test it did not') },
  })
  await m.plan('undo')
  expect(await m.calls()).toEqual(['--version', '-p'])

  const other = await machineWith(p, calledVersion(p, '9.9.8'))
  expect(await other.plan('undo')).toMatchObject({
    continues: { because: expect.stringContaining('is another version') },
  })
  expect(await other.calls()).toEqual(['--version'])

  // Without a directory for the trial nothing is run, and the undo still works.
  const nowhere = join(p.s.root, 'no-cache')
  await p.s.write(nowhere, 'a file')
  const env = { PATH: dirname(m.program), XDG_CACHE_HOME: nowhere }
  const { stdout } = await p.s.retake('undo', '--dry-run', '--session', p.id, { env })
  expect(stdout).toContain('could not be tested')
})

test('[S6] programs from the project, or that others could have written, are not run', async () => {
  const { p, m } = await begin((each) => calledVersion(each, '9.9.9'))
  await chmod(m.program, 0o777)
  const { continues } = await m.plan('undo')
  expect(continues!.because).toContain('there is no `claude` to test it with')
  const inside = await machineWith(p, calledVersion(p, '9.9.9'), join(p.s.project, 'bin'))
  expect((await inside.plan('undo')).continues!.because).toContain(
    'there is no `claude` to test it with',
  )
  expect([await m.calls(), await inside.calls()]).toEqual([[], []])
})

test('[sem.C2] a plan does not mention a tested version', async () => {
  const p = await start()
  expect((await p.read<PlanView>('undo', '--dry-run')).warnings).toEqual([])
})

test('[C9][U5] a version that would ignore an emptied conversation does not get one', async () => {
  const p = await start()
  await pretend(p, '2.1.150')
  expect(await p.refused('undo', '3', '--whole')).toMatchObject({ code: 'cannot-be-emptied' })
  expect(await p.run('undo', '3')).toMatchObject({ turnsUndone: 3, conversation: 'moved' })
})
