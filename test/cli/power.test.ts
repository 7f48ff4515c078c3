import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { LogView, PlanView } from '#protocol'
import { bash, edit, write } from '../model/index.ts'
import { playedOnce, type Played } from '../operations/played.ts'
import { cli } from '../scene.ts'
import { parseView } from './schemas.ts'

const session = playedOnce({
  files: { 'src/a.txt': 'one\ntwo\n' },
  turns: {
    'Say hello': 'hi',
    'Make b': [write('b.txt', 'b\n'), 'made'],
    'Change a': [edit('src/a.txt', 'two', 'TWO'), bash('git diff --quiet || echo changed'), 'did'],
  },
  // Not by the agent, because a recording cannot restore a commit.
  async after(p) {
    expect(await p.s.run('git', ['commit', '-qam', 'change a'])).toMatchObject({ code: 0 })
  },
})

async function text(p: Played, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await p.s.retake(...args)
  expect({ args, code, stderr }).toMatchObject({ code: 0 })
  return `${stdout}${stderr}`
}

test('[U2] log shows the last turns, filtered by time, words or file; rows fit the screen; JSON keeps its order', async () => {
  const p = await session()
  const prompts = async (...args: string[]): Promise<string[]> =>
    (await p.read<LogView>('log', ...args)).turns.map(({ prompt }) => prompt)
  expect(await prompts('-n', '2')).toEqual(['Make b', 'Change a'])
  expect(await prompts('--grep', 'CHANGE')).toEqual(['Change a'])
  expect(await prompts('--files', 'src')).toEqual(['Change a'])
  expect(await prompts('--files', 'b.txt', '--newest-first')).toEqual(['Make b'])
  expect(await prompts('--since', '1h')).toHaveLength(3)
  expect(await prompts('--since', '2999-01-01')).toEqual([])
  expect(await p.refused('log', '--since', 'never')).toMatchObject({ code: 'usage' })
  const shown = await text(p, 'log', '-n', '1', '--newest-first')
  expect(shown).toMatch(/3 turns[^]*Change a[^]*2 earlier turns/)
  const { stdout } = await p.s.retake('log', { env: { COLUMNS: '60' } })
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(60)
})

test('[U1] options may precede the command, and paths may be given as the plan prints them', async () => {
  const p = await session()
  await mkdir(join(p.s.project, 'deep'))
  const deep = { cwd: join(p.s.project, 'deep') }
  const there = await p.s.retake('-C', '../src', '--json', 'status', deep)
  expect(parseView(there.stdout)).toMatchObject({ session: p.id })
  expect(await p.s.retake('-C', 'nowhere', 'status')).toMatchObject({ code: 2 })

  await p.s.write('src/a.txt', 'one\nmine\n')
  const chosen = (path: string) =>
    p.s.retake('undo', '--dry-run', '--json', '--choose', `${path}=keep-mine`, { cwd: join(p.s.project, 'src') }) // prettier-ignore
  for (const path of ['src/a.txt', 'a.txt']) {
    const plan = parseView<PlanView>((await chosen(path)).stdout)
    expect(plan.files).toMatchObject([{ path: 'src/a.txt', why: 'kept-mine' }])
  }
  const wrong = await chosen('b.txt')
  expect(wrong.code).toBe(6)
  expect(parseView(wrong.stdout)).toMatchObject({ code: 'path-not-known' })

  // Conflict markers are reported with their line.
  const marked = await text(p, 'undo', '--on-conflict', 'mark')
  expect(marked).toContain('src/a.txt has conflict markers (line 2).')
  expect(marked).not.toContain('restored')
})

test('[U1] receipts say how many turns were undone and can be redone, and which commits stay', async () => {
  const p = await session()
  const receipt = await text(p, 'undo', '9', '--yes')
  expect(receipt).toContain('Undid 2 turns')
  expect(receipt).toContain('you asked for 9 turns; there are only 3')
  expect(receipt).toContain('turn 1 stays: it has no file changes to undo, and the conversation')
  expect(receipt).toContain('Run `retake redo 2` to redo them.')
  expect(await text(p, 'redo', '2')).toContain('Redid 2 turns')
  expect(await text(p, 'undo', '--only', 'files')).toContain('Undid 1 turn')
  expect(await text(p, 'redo')).toContain('Run `retake redo --only files` to redo them.')
  expect(await p.read('redo', '--dry-run')).toMatchObject({ schema: 'retake.plan/1', turns: 0 })
  expect(await text(p, 'redo', '--only', 'files')).toContain('1 file changed')
  expect(await text(p, 'diff', '2..')).toMatch(/src\/a\.txt[^]*-two[^]*\+TWO/)
  expect(await text(p, 'undo', '--dry-run', '-p')).toMatch(/-TWO[^]*\+two/)
  expect(await text(p, 'rewind', '1')).toContain('Undid 2 turns')
  expect(await text(p, 'undo')).toContain(
    'turn 1 has no file changes to undo, and the conversation keeps its first prompt. Add `--whole` to empty the conversation.',
  )
  expect(await p.run('undo', '--whole')).toMatchObject({ conversation: 'moved', turnsUndone: 1 })
})

test('[B1] a turn of another branch is reached by its id, or the message says how', async () => {
  const p = await session()
  const [, , third] = await p.log()
  await p.run('rewind', '2')
  await p.say('Another way', [write('c.txt', 'c\n'), 'ok'])
  const id = third!.id.slice(0, 8)
  expect(await p.refused('rewind', id)).toMatchObject({
    code: 'turn-not-found',
    message: `Turn ${id} is not on the current branch. It is turn 3 of main.`,
    hint: 'Run `retake switch main --turn 3` to go there.',
  })
  const shown = await p.s.retake('show', id, '--session', p.id)
  expect(shown.stdout.split('\n')[0]).toMatch(/ on branch main$/)
  expect(await p.run('switch', id)).toMatchObject({ to: { id: third!.id } })
  expect(await p.files()).toMatchObject({ 'src/a.txt': 'one\nTWO\n' })
})

test('[A1] install --launcher shows and writes a program, and uninstall removes it', async () => {
  const p = await session()
  const path = join(p.s.home, '.local/bin/retake')
  const shown = await text(p, 'install', '--launcher', '--yes')
  expect(shown).toContain('exec ')
  expect(await p.s.run(path, ['--version'])).toMatchObject({ code: 0 })
  expect(await text(p, 'uninstall', '--yes')).toContain(`The launcher ${path} was removed.`)
  await p.s.write(path, 'mine')
  expect(await p.s.retake('install', '--launcher', '--yes')).toMatchObject({ code: 1 })
  expect(await text(p, 'uninstall', '--yes')).not.toContain('launcher')
})

test('[U2] a full disk behind standard output gives a clear message', async () => {
  const p = await session()
  const { code, stderr } = await p.s.run('sh', ['-c', `"$0" "$@" >/dev/full`, process.execPath, cli, 'log']) // prettier-ignore
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringMatching(/^Cannot write the output: ENOSPC[^\n]*\n$/) }) // prettier-ignore
})
