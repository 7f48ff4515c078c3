import { expect, test } from 'vitest'
import { bash, edit, read, write } from '../model/index.ts'
import { type Played, played } from './played.ts'
import { recallOrRun } from './recorded-run.ts'

/**
 * Everything that the agent sends on resume, not only prompts; without its own filler for a missing
 * answer.
 */
async function conversation(p: Played): Promise<string[]> {
  await p.sent()
  const said = p.model.conversation().filter((line) => line !== 'assistant: No response requested.')
  return said.slice(0, -1)
}

/** The prompt "killed": the agent is killed when it has recorded its last file. */
async function playKilled(p: Played): Promise<void> {
  const args = ['-p', 'killed', '--resume', p.id, '--dangerously-skip-permissions']
  const child = p.s.processes.start(p.agent.binary, args, {
    cwd: p.s.project,
    env: { ...p.agent.env },
  })
  await p.model.seen('killed', 2)
  // The agent writes its rows a moment later.
  await expect
    .poll(async () =>
      /"type":"create","filePath":"[^"]*\/e"/.test(Buffer.from(await p.transcript()).toString()),
    )
    .toBe(true)
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('close', resolve))
}

test('[G8][U2][W15][sem.V6] turns of every shape: undo leaves the beginning, redo everything, word for word', async () => {
  await using p = await played({
    files: { a: '1\n', '.claude/commands/do.md': 'Do the thing $ARGUMENTS' },
    turns: { hello: 'hi', T1: [edit('a', '1', 'one'), 'did T1'], '/compact': 'unused' },
  })
  p.model.on('interrupted', [
    [read('a')],
    [edit('a', 'one', 'eins'), write('b', 'b\n')],
    { blocks: ['half'], hang: 'after' },
  ])
  p.model.on('Do the thing now', [write('c', 'c\n'), 'did the thing'])
  p.model.on('absorbing', [bash('until [ -e .go ]; do sleep 0.05; done'), 'went on'])
  p.model.on('refused', [edit('a', 'eins', 'un'), { error: { status: 400, message: 'bad' } }])
  p.model.on('killed', [[write('d', 'd\n'), write('e', 'e\n')], { blocks: ['x'], hang: 'before' }])

  await p.onScreen([
    { submit: 'interrupted' },
    { see: 'half' },
    { key: 'escape' },
    { see: 'Interrupted' },
    { submit: '!echo hello' },
    { see: '● ok' },
    { submit: '/do now' },
    { see: 'did the thing' },
    { submit: 'absorbing' },
    { see: 'until' },
    { submit: 'hurry' },
    { write: '.go', text: '' },
    { see: 'went on' },
    { submit: 'refused' },
    { see: 'API Error: 400' },
  ])
  const { s, model, id: session } = p
  const asked = 'killed when it has written e'
  await recallOrRun({ s, model, session, asked, run: () => playKilled(p) })

  const turns = await p.log()
  expect(turns.map(({ prompt, kind }) => `${kind} ${prompt}`)).toEqual([
    'prompt hello',
    'prompt T1',
    'prompt interrupted',
    'shell !echo hello',
    'command /do now',
    'prompt absorbing',
    'prompt refused',
    'prompt killed',
  ])
  const [all, files] = [await conversation(p), await p.files()]
  expect(all).toEqual(expect.arrayContaining(['user: (while working) hurry', 'user: killed']))

  const prompts = turns.map(({ prompt }) => prompt)
  for (const left of [7, 6, 5, 3]) {
    await p.run('rewind', String(left))
    expect(await p.line()).toEqual(prompts.slice(0, left))
    // Ask the real agent only where the last turn absorbed a prompt or was interrupted.
    if (left !== 6 && left !== 3) continue
    const now = await conversation(p)
    const next = turns[left]!.prompt.replace(/^!(.*)/, '<bash-input>$1')
    expect(now, `${left}`).toEqual(all.slice(0, now.length))
    expect(all[now.length], `${left}`).toContain(next.replace('/do now', '<command-message>do'))
  }
  await p.run('redo', '--all')
  expect(await p.line()).toEqual(prompts)
  expect(await p.files()).toEqual(files)

  // The compaction came after turn 2: earlier turns are in the file, though the agent had only
  // their summary.
  expect(await p.run('rewind', '1')).toMatchObject({ conversation: 'moved' })
  expect(await conversation(p)).toEqual(['user: hello', 'assistant: hi'])
  expect(await p.s.read('a')).toBe('1\n')
  await p.run('redo', '--all')
  expect(await conversation(p)).toEqual(all)
  expect(await p.files()).toEqual(files)
})
