import { randomUUID } from 'node:crypto'
import { appendFileSync, existsSync } from 'node:fs'
import { kill } from 'node:process'
import { expect, test } from 'vitest'
import { openMachine, openProject, readSession, settleMoves } from '#engine'
import { markPending } from '../../src/engine/hooks/pending-mark.ts'
import { putPending } from '../../src/engine/session/pending-move.ts'
import { placesOf } from '../storage/in-process.ts'
import { edit, write } from '../model/index.ts'
import { playedOnce, type Played } from '../operations/played.ts'
import { idle, leave, opened, processOf, sentToModel } from './opened.ts'

const session = playedOnce({
  files: { a: '1\n' },
  turns: {
    hello: 'hi',
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [[edit('a', 'one', 'eins'), write('b', 'b\n')], 'did T2'],
  },
})

/** The session that a command without `--session` uses. */
async function meant({ s }: Played): Promise<string> {
  return (JSON.parse((await s.retake('status', '--json')).stdout) as { session: string }).session
}

test('[sem.C2][sem.C3] in an idle session files move at once, and the conversation at its end; several moves become one', async () => {
  const p = await session()
  const tui = await opened(p)
  // Without the hook nothing would move the conversation.
  await p.s.retake('uninstall', '--yes')
  expect(await p.refused('undo')).toMatchObject({
    exit: 5,
    code: 'session-live',
    hint: expect.stringMatching(/\/exit.*--only files.*retake install/),
  })
  await p.s.retake('install')
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
  expect(await p.run('undo')).toMatchObject({
    conversation: 'pending',
    from: { number: 2 },
    to: { number: 1 },
    filesReverted: ['a'],
  })
  // A retry that still expects turn 3 cannot undo once more.
  expect(await p.refused('undo', '--expect-head', '3')).toMatchObject({ code: 'head-moved' })
  expect(await p.run('redo')).toMatchObject({ conversation: 'pending', to: { number: 2 } })
  await leave(p, tui, '/exit')
  // The hook did it, so the next command has nothing to report.
  expect(await p.status()).toMatchObject({ head: { number: 2 }, undone: 1, pending: null })
  expect(await p.sent()).toEqual(['hello', 'T1'])
  const done = { state: 'done', receipt: { conversation: 'moved' } }
  expect(await p.read('op', 'log')).toMatchObject({
    operations: [{ verb: 'redo', ...done }, { verb: 'undo' }, { verb: 'undo' }],
  })
  expect(await p.run('redo', '--all')).toMatchObject({ conversation: 'moved', turnsRedone: 1 })
  expect(await p.files()).toMatchObject({ a: 'eins\n', b: 'b\n' })
})

test('[sem.C3][sem.O2][ex.22] back at the tip nothing is pending; a new prompt voids a move after one question; a killed agent leaves the move to the next command', async () => {
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

  // Two sets of hooks ask once.
  await p.s.retake('install', '--scope', 'project')
  const { operation: voided } = await p.run('undo')
  p.model.on('T3', ['did T3'])
  const requests = p.model.requests.length
  await tui.submit('T3')
  await tui.waitFor((screen) =>
    screen
      .replaceAll(/\s+/g, ' ')
      .includes(
        `Send the prompt again to stay here and keep the files as they are; or type /clear, then /resume ${p.id}, to continue from turn 2.`,
      ),
  )
  expect(p.model.requests).toHaveLength(requests)
  expect(await p.status()).toMatchObject({ pending: { to: { number: 2 } } })
  // Claude Code puts the blocked prompt back into the input box.
  await tui.waitFor(/^❯ T3/m)
  await tui.key('enter')
  await tui.waitFor(/did T3/)
  await tui.waitFor(/Retake: the conversation stays here/)
  expect(sentToModel(p)).toMatch(/The user undid file changes of the last turn.*: a, b\./)
  expect(p.model.userTexts()).toEqual(['hello', 'T1', 'T2', 'T3'])
  await idle(p)
  const { stderr } = await p.s.retake('status')
  expect(stderr, 'reported twice').toBe('')
  expect(await p.status()).toMatchObject({
    head: { number: 4 },
    pending: null,
    differing: [{ number: 3, files: 'reverted' }],
  })
  p.model.on('T4', ['did T4'])
  await tui.submit('T4')
  await tui.waitFor(/did T4/)
  expect(sentToModel(p).match(/The user undid file changes/g)).toHaveLength(1)
  await idle(p)
  await hasWritten(p)

  // A killed agent runs no hook.
  expect(await p.run('undo')).toMatchObject({ conversation: 'pending', to: { number: 4 } })
  kill(await processOf(p), 'SIGKILL')
  await tui.ended()
  p.live = false
  expect((await p.s.retake('status')).stderr).toContain(
    'The pending move is done: the conversation continues after turn 4.',
  )
  expect(await p.sent()).toEqual(['hello', 'T1', 'T2', 'T3'])
  // Out for good: undo and redo over the turn leave its files alone.
  expect(await p.run('undo', '2')).toMatchObject({ conversation: 'moved', filesReverted: [] })
  expect(await p.run('redo', '--all')).toMatchObject({ filesReverted: [] })
  expect(await p.files()).toMatchObject({ a: 'one\n' })
  expect(await p.refused('op', 'undo', String(voided))).toMatchObject({
    code: 'operation-has-followers',
  })
})

test('[sem.C3][sem.C4] /clear and /resume in the running agent move the conversation; a prompt that no hook saw voids a move', async () => {
  const p = await session()
  // `/resume` lists only sessions that began in the TUI.
  const tui = await opened(p, { resume: undefined })
  const id = tui.sessionId
  for (const prompt of ['S1', 'S2']) {
    p.model.on(prompt, prompt === 'S1' ? ['did S1'] : [write('s', 's\n'), 'did S2'])
    await tui.submit(prompt)
    await tui.waitFor(new RegExp(`did ${prompt}`))
  }
  await idle(p, id)
  const undone = await p.s.retake('undo', '--session', id)
  expect(undone).toMatchObject({ code: 0, stderr: '' })
  expect(undone.stdout).toContain(`/resume ${id}`)
  expect(await p.files()).not.toHaveProperty('s')
  await tui.submit('/clear')
  await expect
    .poll(async () => (await p.agent.transcript(id)).rows.map(({ content }) => content), {
      timeout: 60_000,
    })
    .toContain('Retake: the conversation continues after turn 1.')
  // The session that `/clear` made is newer, and empty.
  expect(await meant(p)).toBe(id)
  await tui.submit(`/resume ${id}`)
  await tui.waitFor((screen) => /did S1/.test(screen) && !/did S2/.test(screen))
  expect(await meant(p)).toBe(id)
  p.model.on('S2b', [write('s', 's\n'), 'did S2b'])
  await tui.submit('S2b')
  await tui.waitFor(/did S2b/)
  expect(p.model.userTexts()).toEqual(['S1', 'S2b'])
  await idle(p, id)

  const again = await p.s.retake('undo', '--session', id)
  expect(again.stdout).toMatch(/^Undid 1 turn: 1 file removed\./)
  await p.s.retake('uninstall', '--yes')
  p.model.on('S3', ['did S3'])
  await tui.submit('S3')
  await tui.waitFor(/did S3/)
  // The agent buffers its newest rows; if killed then, there was no prompt.
  const text = async (): Promise<string> =>
    Buffer.from((await p.agent.transcript(id)).bytes).toString()
  await expect.poll(text).toContain('did S3')
  kill(await processOf(p, id), 'SIGKILL')
  await tui.ended()
  p.live = false
  const ended = await p.s.retake('undo', '--session', id)
  expect(ended.stderr).toMatch(
    /The conversation continued after operation \d+, so it was not moved\. Reverted for good: s\./,
  )
  expect(ended.stdout).toMatch(/^Undid 1 turn/)
  await p.agent.probe(id)
  expect(p.model.userTexts()).toEqual(['S1', 'S2b', 'probe'])
})

test('[sem.C4] a pointer of Retake’s that was overwritten is written again when the session is idle', async () => {
  const p = await session()
  const tui = await opened(p)
  p.model.on('T3', ['did T3'])
  await tui.submit('T3')
  await tui.waitFor(/did T3/)
  await idle(p)
  await hasWritten(p)
  // An agent that Retake cannot see: at its exit it writes its own position.
  const entry = `${p.s.claudeDir}/sessions/${await processOf(p)}.json`
  const listed = await p.s.read(entry)
  await p.s.run('rm', [entry])
  p.live = false
  expect(await p.run('undo')).toMatchObject({ conversation: 'moved', to: { number: 3 } })
  await p.s.write(entry, listed)
  p.live = true
  expect(await p.status()).toMatchObject({ head: { number: 3 }, pending: null })
  const before = await p.transcript()
  await leave(p, tui, '/exit')
  // Nothing was pending, so the end of the session wrote no row of Retake's.
  const added = Buffer.from(await p.transcript()).subarray(before.length)
  expect(added.toString()).not.toContain('Retake')
  const { stderr } = await p.s.retake('status')
  expect(stderr).toContain('the conversation continues after turn 3')
  expect(await p.status()).toMatchObject({ head: { number: 3 }, undone: 1, pending: null })
  expect(await p.sent()).toEqual(['hello', 'T1', 'T2'])
})

test('[sem.C3] rows that the agent writes at its end do not keep the conversation from following', async () => {
  const p = await session()
  const { path } = await p.agent.transcript(p.id)
  const late = { type: 'file-history-snapshot', messageId: randomUUID(), snapshot: {} }
  let rows = 2
  using machine = openMachine(placesOf(p.s), {
    now: () => new Date(),
    newId() {
      // Between the plan of the move and its write.
      if (rows-- > 0) appendFileSync(path, `${JSON.stringify(late)}\n`)
      return randomUUID()
    },
  })
  using project = openProject(machine, p.s.project)
  const { open, tree } = readSession(machine, { session: p.id, project: null })
  const [, target, tip] = tree.line
  const { size } = open.identity
  putPending(project.store, p.id, { target: target!, tip: tip!, from: tip!, size, operation: 1, byShell: false }) // prettier-ignore
  expect(await settleMoves(machine, project, { session: p.id })).toMatchObject([
    { kind: 'moved', to: { number: 2 } },
  ])
  expect(rows).toBeLessThan(0)
  // A mark without a pending move would start a process at every prompt.
  markPending(machine.disk, machine.places, p.id)
  expect(await settleMoves(machine, project, { session: p.id })).toEqual([])
  expect(existsSync(`${machine.places.state}/pending/${p.id}`)).toBe(false)
  expect(await p.status()).toMatchObject({ head: { number: 2 }, pending: null })
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
