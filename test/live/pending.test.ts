import { kill } from 'node:process'
import { expect, test } from 'vitest'
import { edit, write } from '../model/index.ts'
import { playedOnce, type Played } from '../operations/played.ts'
import { idle, leave, opened, processOf, told } from './opened.ts'

const session = playedOnce({
  files: { a: '1\n' },
  turns: {
    hello: 'hi',
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [[edit('a', 'one', 'eins'), write('b', 'b\n')], 'did T2'],
  },
})

/** The session that a command without `--session` means. */
async function meant({ s }: Played): Promise<string> {
  return (JSON.parse((await s.retake('status', '--json')).stdout) as { session: string }).session
}

test('[sem.C2][sem.C3] an idle session: files move at once, and the conversation when it is left', async () => {
  const p = await session()
  const tui = await opened(p)
  expect(await p.read('undo', '--dry-run')).toMatchObject({ conversation: 'pending' })
  expect(await p.run('undo')).toMatchObject({
    conversation: 'pending',
    turnsUndone: 1,
    filesReverted: ['a', 'b'],
    to: { number: 2 },
  })
  expect(await p.files()).toMatchObject({ a: 'one\n' })
  expect(await p.files()).not.toHaveProperty('b')
  expect(await p.status()).toMatchObject({ head: { number: 3 }, pending: { to: { number: 2 } } })
  await leave(p, tui, '/exit')
  // The hook did it: a command that looks finds it done and has nothing to say.
  expect(await p.status()).toMatchObject({ head: { number: 2 }, undone: 1, pending: null })
  expect(await p.sent()).toEqual(['hello', 'T1'])
  expect(await p.read('op', 'log')).toMatchObject({
    operations: [{ verb: 'undo', state: 'done', receipt: { conversation: 'moved' } }],
  })
  expect(await p.run('redo')).toMatchObject({ conversation: 'moved', turnsRedone: 1 })
  expect(await p.sent()).toEqual(['hello', 'T1', 'T2'])
})

test('[sem.C3] two undos are one pending move, and Ctrl-C twice asserts it; a redo on the way moves it again', async () => {
  const p = await session()
  const tui = await opened(p)
  await p.run('undo')
  expect(await p.run('undo')).toMatchObject({
    conversation: 'pending',
    from: { number: 2 },
    to: { number: 1 },
    filesReverted: ['a'],
  })
  // A retry that still believes to be at turn 3 cannot undo once more.
  expect(await p.refused('undo', '--expect-head', '3')).toMatchObject({ code: 'head-moved' })
  expect(await p.run('redo')).toMatchObject({ conversation: 'pending', to: { number: 2 } })
  expect(await p.run('undo')).toMatchObject({ conversation: 'pending', to: { number: 1 } })
  await leave(p, tui, 'ctrl-c')
  expect(await p.status()).toMatchObject({ head: { number: 1 }, undone: 2, pending: null })
  expect(await p.sent()).toEqual(['hello'])
  expect(await p.run('redo', '--all')).toMatchObject({ turnsRedone: 2, conversation: 'moved' })
  expect(await p.files()).toMatchObject({ a: 'eins\n', b: 'b\n' })
})

test('[sem.C3][sem.O2] back at the tip nothing is pending: by redo, and by op undo', async () => {
  const p = await session()
  const tui = await opened(p)
  await p.run('undo', '2')
  expect(await p.run('redo', '2')).toMatchObject({ conversation: 'unchanged', turnsRedone: 2 })
  expect(await p.status()).toMatchObject({ head: { number: 3 }, pending: null, differing: [] })

  await p.run('undo')
  expect(await p.run('op', 'undo')).toMatchObject({ conversation: 'unchanged' })
  expect(await p.status()).toMatchObject({ pending: null, differing: [] })
  await p.run('undo')
  await p.run('undo')
  expect(await p.run('op', 'undo')).toMatchObject({ conversation: 'pending', to: { number: 2 } })
  expect(await p.run('op', 'undo')).toMatchObject({ conversation: 'unchanged', to: { number: 3 } })
  expect(await p.files()).toMatchObject({ a: 'eins\n', b: 'b\n' })
  const before = await p.transcript()
  await leave(p, tui, '/exit')
  const added = Buffer.from(await p.transcript()).subarray(before.length)
  expect(added.toString()).not.toContain('Retake')
  expect(await p.sent()).toEqual(['hello', 'T1', 'T2'])
})

test('[sem.C3][ex.22] a new prompt voids it, after it was asked once: the turn stays, the files stay as they are', async () => {
  const p = await session()
  const tui = await opened(p)
  // Hooks that are in twice ask once.
  await p.s.retake('install', '--scope', 'project')
  await p.run('undo')
  p.model.on('T3', ['did T3'])
  const requests = p.model.requests.length
  await tui.submit('T3')
  await tui.waitFor((screen) =>
    screen
      .replaceAll(/\s+/g, ' ')
      .includes(
        `Send again to stay here and keep the files as they are; or type /clear, then /resume ${p.id}, to continue from turn 2.`,
      ),
  )
  expect(p.model.requests).toHaveLength(requests)
  expect(await p.status()).toMatchObject({ pending: { to: { number: 2 } } })
  // Claude Code puts the blocked prompt back into the input box.
  await tui.waitFor(/^❯ T3/m)
  await tui.key('enter')
  await tui.waitFor(/did T3/, { timeoutMs: 60_000 })
  await tui.waitFor(/Retake: the conversation stays here/)
  expect(told(p)).toMatch(/The user took file changes of the last turn back.*: a, b\./)
  expect(p.model.userTexts()).toEqual(['hello', 'T1', 'T2', 'T3'])
  await idle(p)
  const { stderr } = await p.s.retake('status')
  expect(stderr, 'told a second time').toBe('')
  expect(await p.status()).toMatchObject({
    head: { number: 4 },
    pending: null,
    differing: [{ number: 3, files: 'reverted' }],
  })
  p.model.on('T4', ['did T4'])
  await tui.submit('T4')
  await tui.waitFor(/did T4/)
  expect(told(p).match(/The user took file changes/g)).toHaveLength(1)
  await leave(p, tui, '/exit')
  expect(await p.sent()).toEqual(['hello', 'T1', 'T2', 'T3', 'T4'])
  // Out for good: going back and forward over the turn leaves its files alone.
  expect(await p.run('undo', '3')).toMatchObject({ conversation: 'moved', filesReverted: [] })
  expect(await p.run('redo', '--all')).toMatchObject({ filesReverted: [] })
  expect(await p.files()).toMatchObject({ a: 'one\n' })
  expect(await p.refused('op', 'undo', '1')).toMatchObject({ code: 'operation-has-followers' })
})

test('[sem.C3] /clear and /resume in the running agent take the conversation where it was moved', async () => {
  const p = await session()
  // `/resume` lists what was begun on a screen, and not what a program began.
  const tui = await opened(p, { resume: undefined })
  for (const prompt of ['S1', 'S2']) {
    p.model.on(prompt, prompt === 'S1' ? ['did S1'] : [write('s', 's\n'), 'did S2'])
    await tui.submit(prompt)
    await tui.waitFor(new RegExp(`did ${prompt}`))
  }
  await idle(p, tui.sessionId)
  const undone = await p.s.retake('undo', '--session', tui.sessionId)
  expect(undone).toMatchObject({ code: 0, stderr: '' })
  expect(undone.stdout).toContain(`/resume ${tui.sessionId}`)
  expect(await p.files()).not.toHaveProperty('s')
  await tui.submit('/clear')
  await expect
    .poll(
      async () => (await p.agent.transcript(tui.sessionId)).rows.map(({ content }) => content),
      {
        timeout: 60_000,
      },
    )
    .toContain('Retake: the conversation continues after turn 1.')
  // The session that `/clear` made is newer, and empty.
  expect(await meant(p)).toBe(tui.sessionId)
  await tui.submit(`/resume ${tui.sessionId}`)
  await tui.waitFor((screen) => /did S1/.test(screen) && !/did S2/.test(screen))
  expect(await meant(p)).toBe(tui.sessionId)
  p.model.on('S2b', ['did S2b'])
  await tui.submit('S2b')
  await tui.waitFor(/did S2b/)
  expect(p.model.userTexts()).toEqual(['S1', 'S2b'])
  await leave(p, tui, '/exit')
})

test('[sem.C3][sem.C4] an agent that was killed told nobody: the next command asserts it, or finds it void', async () => {
  const p = await session()
  const tui = await opened(p)
  await p.run('undo')
  kill(await processOf(p), 'SIGKILL')
  await tui.ended()
  p.live = false
  const { stderr } = await p.s.retake('status')
  expect(stderr).toContain(
    'The conversation that was pending has been moved: it goes on after turn 2.',
  )
  expect(await p.sent()).toEqual(['hello', 'T1'])

  // The same, but with a prompt that the hooks did not see either.
  await p.run('redo')
  const again = await opened(p)
  await p.run('undo')
  await p.s.retake('uninstall', '--yes')
  p.model.on('T3', ['did T3'])
  await again.submit('T3')
  await again.waitFor(/did T3/, { timeoutMs: 60_000 })
  // The agent keeps its newest rows to itself for a moment; killed then, there was no prompt.
  await expect.poll(async () => Buffer.from(await p.transcript()).toString()).toContain('did T3')
  kill(await processOf(p), 'SIGKILL')
  await again.ended()
  p.live = false
  const ended = await p.s.retake('undo', '--session', p.id)
  expect(ended.stderr).toMatch(
    /The conversation went on after operation \d+, so it was not moved\. a, b stay as put back\./,
  )
  expect(ended.stdout).toMatch(/^Undone 1 turn/)
  expect(await p.sent()).toEqual(['hello', 'T1', 'T2'])
})

test('[sem.C4] a pointer of ours that was overwritten is written again when all is quiet', async () => {
  const p = await session()
  const tui = await opened(p)
  p.model.on('T3', ['did T3'])
  await tui.submit('T3')
  await tui.waitFor(/did T3/)
  await idle(p)
  await hasWritten(p)
  // An agent that Retake cannot see: its exit writes where it stood itself.
  const entry = `${p.s.claudeDir}/sessions/${await processOf(p)}.json`
  const listed = await p.s.read(entry)
  await p.s.run('rm', [entry])
  p.live = false
  expect(await p.run('undo')).toMatchObject({ conversation: 'moved', to: { number: 3 } })
  await p.s.write(entry, listed)
  p.live = true
  expect(await p.status()).toMatchObject({ head: { number: 3 }, pending: null })
  await leave(p, tui, '/exit')
  const { stderr } = await p.s.retake('status')
  expect(stderr).toContain('has been moved: it goes on after turn 3')
  expect(await p.status()).toMatchObject({ head: { number: 3 }, undone: 1, pending: null })
  expect(await p.sent()).toEqual(['hello', 'T1', 'T2'])
})

test('[sem.C2] without the hook nobody would write it: refused with the ways on', async () => {
  const p = await session()
  const tui = await opened(p)
  await p.s.retake('uninstall', '--yes')
  expect(await p.refused('undo')).toMatchObject({
    exit: 5,
    code: 'session-live',
    hint: expect.stringMatching(/\/exit.*--only files.*retake install/),
  })
  await leave(p, tui, '/exit')
})

/** Waits until the agent has written what it buffers; a later row would make any plan stale. */
async function hasWritten(p: Played): Promise<void> {
  let size = -1
  await expect
    .poll(
      async () => {
        const before = size
        size = (await p.transcript()).length
        return size === before
      },
      { interval: 500 },
    )
    .toBe(true)
}
