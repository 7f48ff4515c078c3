import { expect, test } from 'vitest'
import type { PlanView } from '#protocol'
import { edit, read, write } from '../model/index.ts'
import { needs } from '../needs.ts'
import { playSession } from './play-session.ts'
import { recallOrRun } from './recorded-run.ts'
import { playedOnce } from './played.ts'

// Other things in a project: other sessions, forks of this one, git.

const lines = (...each: string[]): string => `${each.join('\n')}\n`
const session = playedOnce({
  files: { a: lines('1', 'a', '2', 'b', '3'), c: '1\n', '.envrc': 'export X=1\n' },
  turns: {
    A0: [
      [edit('.envrc', '1', '2'), write('.husky/pre-commit', 'echo\n'), edit('c', '1', '2')],
      'ok',
    ],
    A1: [edit('a', '1', 'A1'), 'ok'],
    A2: [edit('a', '2', 'A2'), 'ok'],
  },
})

test('[sem.X9][sem.V5] two sessions in one file: each undoes its own changes, in a possible order', async () => {
  const p = await session()
  p.model.on('B2', [read('a'), edit('a', '3', 'B3'), edit('a', 'A2', 'B2'), 'ok'])
  const { s, agent, model } = p
  const prompts = ['B1', 'B2']
  const run = () => playSession({ s, agent, prompts, checkpointing: false })
  const other = await recallOrRun({ s, model, session: null, asked: { prompts }, run })
  const both = await p.s.read('a')
  const inOther = async (...args: string[]) => (await p.s.retake(...args, '--session', other)).code

  // B2 depends on the line that A2 made.
  expect(await p.refused('undo')).toMatchObject({
    exit: 4,
    message: expect.stringMatching(/line 3/),
  })
  // Once Retake has read the other session, the plan names it instead of the user.
  await inOther('undo', '--dry-run')
  const { stdout: shown } = await p.s.retake('undo', '--dry-run', '--session', p.id)
  expect(shown).toContain(`session ${other.slice(0, 8)}, turn 2, changed line 3`)
  expect(await inOther('undo')).toBe(0)
  expect(await p.s.read('a')).toBe(lines('A1', 'a', 'A2', 'b', '3'))
  await p.run('undo')
  expect(await p.s.read('a')).toBe(lines('A1', 'a', '2', 'b', '3'))
  expect(await inOther('redo')).toBe(4)
  await p.run('redo')
  expect(await inOther('redo')).toBe(0)
  expect(await p.s.read('a')).toBe(both)
  expect(await p.line()).toEqual(['A0', 'A1', 'A2'])

  // The receipt says whose edits stay: those of the other session, or of a later turn.
  const said = async (): Promise<string> => {
    const { stdout } = await p.s.retake('revert', '2', '--session', p.id)
    await p.run('op', 'undo')
    return stdout
  }
  expect(await said()).toContain(
    `the edits of turn 2 of session ${other.slice(0, 8)} in 1 file kept`,
  )
  await inOther('undo')
  expect(await said()).toMatch(
    /the edits of turn 3 in 1 file kept.*merged with the changes of turn 3;/s,
  )
})

test('[sem.C1] a fork shares its turns: what one session undoes is out for both', async () => {
  const p = await session()
  const { sessionId: fork } = await p.agent.prompt('F1', {
    resume: p.id,
    args: ['--fork-session'],
    recorded: true,
  })
  const { code } = await p.s.retake('undo', '2', '--session', fork)
  expect(code).toBe(0)
  expect(await p.s.read('a')).toBe(lines('A1', 'a', '2', 'b', '3'))
  expect(await p.status()).toMatchObject({
    head: { number: 3 },
    differing: [{ number: 3, files: 'out' }],
  })

  // Not undone twice; this session's conversation moves on its own.
  expect(await p.run('undo')).toMatchObject({ turnsUndone: 1, filesReverted: [] })
  expect(await p.run('redo')).toMatchObject({ turnsRedone: 1, filesReverted: ['a'] })
  expect(await p.s.read('a')).toBe(lines('A1', 'a', 'A2', 'b', '3'))
  expect(await p.line()).toEqual(['A0', 'A1', 'A2'])
})

test('[sem.O5][I4] another git branch is asked about, an unfinished merge is refused, and nothing of it is written', async () => {
  const p = await session()
  await p.s.run('git', ['checkout', '--quiet', '-b', 'feature'])
  const plan = await p.read<PlanView>('undo', '--dry-run')
  expect(plan.warnings).toEqual(['made on another git branch: turn 3'])
  expect(await p.refused('undo')).toMatchObject({ exit: 4, code: 'other-git-branch' })
  expect(await p.run('undo', '--yes')).toMatchObject({ turnsUndone: 1 })
  expect(await p.run('redo', '--yes')).toMatchObject({ turnsRedone: 1 })

  await p.s.run('git', ['checkout', '--quiet', 'main'])
  await p.s.write('.git/MERGE_HEAD', `${'0'.repeat(40)}\n`)
  expect(await p.refused('undo')).toMatchObject({
    code: 'git-unfinished',
    message: expect.stringMatching(/merge/),
  })
  expect(await p.run('undo', '--only', 'chat')).toMatchObject({ conversation: 'moved' })
})

needs('setfattr')(
  '[sem.A5] plan and receipt list extended attributes that an undo drops',
  async () => {
    const p = await session()
    const { code } = await p.s.run('setfattr', ['-n', 'user.tag', '-v', 'mine', 'a'])
    expect(code).toBe(0)
    const why = 'it is rewritten without its extended attributes (user.tag)'
    const left = [{ path: 'a', kind: 'extended-attributes', why }]
    expect(await p.read<PlanView>('undo', '--dry-run')).toMatchObject({ left })
    expect(await p.run('undo')).toMatchObject({ left })
    expect(await p.run('redo')).toMatchObject({ left: [] })
  },
)

test('[S9][B10] files that execute are written only if named, not by a general choice', async () => {
  const p = await session()
  await p.run('rewind', '1')
  expect(await p.refused('undo')).toMatchObject({
    exit: 4,
    message: expect.stringMatching(/\.envrc.*runs automatically.*\.husky/),
  })
  const said = await p.s.retake('undo', '--session', p.id)
  expect(said).toMatchObject({ code: 4, stdout: '' })
  expect(said.stderr).toContain('--choose PATH=put-back')
  expect(await p.refused('undo', '--on-conflict', 'put-back')).toMatchObject({ exit: 4 })
  expect(await p.refused('undo', '--choose', '.envrc')).toMatchObject({ exit: 2 })
  expect(await p.run('undo', '--on-conflict', 'keep-mine')).toMatchObject({
    filesReverted: ['c'],
    filesKept: ['.envrc', '.husky/pre-commit'],
  })
  await p.run('op', 'undo')
  const named = ['--choose', '.envrc=put-back', '--choose', '.husky/pre-commit=put-back']
  expect(await p.run('undo', ...named)).toMatchObject({
    filesReverted: ['.envrc', '.husky/pre-commit', 'c'],
  })
  expect(await p.files()).toMatchObject({ '.envrc': 'export X=1\n', c: '1\n' })
})
