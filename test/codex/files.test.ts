import { chmod, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { codex, type Codex } from '../agent/codex.ts'
import {
  addFile,
  deleteFile,
  patch,
  responsesModel,
  shell,
  updateFile,
  type ResponsesModel,
} from '../model/index.ts'
import { needs } from '../needs.ts'
import { scene, type Scene, type SceneOptions } from '../scene.ts'

interface Played extends AsyncDisposable {
  readonly s: Scene
  readonly agent: Codex
  readonly model: ResponsesModel
  readonly session: string
  /** Runs Retake on the session, which must succeed. */
  retake(...args: string[]): Promise<Record<string, unknown>>
}

async function played(
  options: SceneOptions,
  turns: Readonly<Record<string, Parameters<ResponsesModel['on']>[1]>>,
): Promise<Played> {
  const s = await scene(options)
  const model = await responsesModel()
  const agent = codex(s, model)
  let session: string | undefined
  for (const [prompt, rounds] of Object.entries(turns)) {
    model.on(prompt, rounds)
    const turn = await agent.prompt(prompt, session === undefined ? {} : { resume: session })
    expect(turn.code).toBe(0)
    session = turn.session
  }
  return {
    s,
    agent,
    model,
    session: session!,
    async retake(...args) {
      const sure = args[0] === 'log' ? [] : ['--yes']
      const run = await s.retake(...args, '--session', session!, '--json', ...sure)
      expect(run.code, run.stdout + run.stderr).toBe(0)
      return JSON.parse(run.stdout) as Record<string, unknown>
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await s[Symbol.asyncDispose]()
    },
  }
}

needs('codex')(
  '[port] undo and redo restore what Codex did to files byte for byte, and its conversation',
  async () => {
    const files = {
      'lf.txt': 'one\ntwo\nthree\n',
      'crlf.txt': 'one\r\ntwo\r\nthree\r\n',
      'open.txt': 'first\nlast without end',
      'gone.txt': 'to be deleted',
      'old.txt': 'a\nb\nc\n',
      'twice.txt': 'same\nx\nsame\nx\nsame\nx\n',
      'run.sh': '#!/bin/sh\necho 1\n',
    }
    await using p = await played({ files, git: true }, { start: 'ok' })
    const { s, agent, model } = p
    await chmod(join(s.project, 'run.sh'), 0o755)
    const before = await s.files()
    model.on('work', [
      updateFile('lf.txt', 'two\n', 'TWO\nand more\n'),
      updateFile('crlf.txt', 'two', 'TWO'),
      updateFile('open.txt', 'last without end', 'last'),
      deleteFile('gone.txt'),
      patch('*** Update File: old.txt', '*** Move to: deep/er/new.txt', '@@', '-b', '+B'),
      patch('*** Update File: twice.txt', '@@', ' same', '-x', '+Y', ' same', '*** End of File'),
      updateFile('run.sh', 'echo 1\n', 'echo 2\n'),
      addFile('made/a.txt', 'made\n'),
      'done',
    ])
    expect((await agent.prompt('work', { resume: p.session })).code).toBe(0)
    const after = await s.files()
    expect(after).not.toEqual(before)

    expect(await p.retake('undo')).toMatchObject({ turnsUndone: 1 })
    expect(await s.files()).toEqual(before)
    expect(await agent.probed(p.session)).toEqual(['start'])
    await p.retake('redo')
    expect(await s.files()).toEqual(after)
    expect(await agent.probed(p.session)).toEqual(['start', 'work'])
    expect((await stat(join(s.project, 'run.sh'))).mode & 0o777).toBe(0o755)
  },
)

needs('codex')(
  '[port] undo keeps what the user changed in a file that Codex changed, and asks where both did',
  async () => {
    await using p = await played(
      { files: { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' } },
      { start: 'ok', work: [updateFile('a.txt', 'two\n', 'TWO\n'), 'done'] },
    )
    await p.s.write('a.txt', 'one\nTWO\nthree\nfour\nFIVE, mine\n')
    await p.retake('undo')
    expect(await p.s.read('a.txt')).toBe('one\ntwo\nthree\nfour\nFIVE, mine\n')
    await p.retake('redo')
    await p.s.write('a.txt', 'one\nTWO, mine\nthree\nfour\nfive\n')
    const refused = await p.s.retake('undo', '--session', p.session, '--json', '--yes')
    expect(refused.code).not.toBe(0)
    expect(await p.s.read('a.txt')).toBe('one\nTWO, mine\nthree\nfour\nfive\n')
  },
)

needs('codex')(
  '[port] a file that Codex wrote over is not deleted by undo; shell commands are named as unknown',
  async () => {
    await using p = await played(
      { files: { 'mine.txt': 'mine\n' } },
      {
        start: 'ok',
        work: [[addFile('mine.txt', 'theirs\n'), addFile('new.txt', 'n\n')], shell('echo x > by-shell.txt'), 'done'], // prettier-ignore
      },
    )
    const undone = await p.s.retake('undo', '--session', p.session, '--json', '--yes')
    expect(undone.stdout).toContain('mine.txt')
    expect(undone.stdout).toContain('echo x > by-shell.txt')
    expect(await p.s.files()).toEqual({ 'mine.txt': 'theirs\n', 'by-shell.txt': 'x\n' })
  },
)

needs('codex')(
  '[port] a Codex session is branched and renamed, keeps a prompt, and its turns are reverted, by the same commands',
  async () => {
    await using p = await played(
      {},
      { one: [addFile('1.txt', '1\n'), 'ok'], two: [addFile('2.txt', '2\n'), 'ok'] },
    )
    await p.retake('revert', '1')
    expect(await p.s.files()).toEqual({ '2.txt': '2\n' })
    expect(await p.agent.probed(p.session)).toEqual(['one', 'two'])
    await p.retake('op', 'undo')
    await p.retake('undo', '--keep-prompt')
    expect(await p.s.files()).toEqual({ '1.txt': '1\n' })
    expect(await p.agent.probed(p.session)).toEqual(['one', 'two'])
    p.model.on('three', [addFile('3.txt', '3\n'), 'ok'])
    await p.agent.prompt('three', { resume: p.session })
    expect(await p.agent.probed(p.session)).toEqual(['one', 'two', 'three'])
    const { turns } = (await p.retake('log')) as { turns: { prompt: string; state: string }[] }
    expect(turns.map(({ prompt, state }) => [prompt, state])).toEqual([
      ['one', 'active'],
      ['two', 'other'],
      ['three', 'active'],
    ])
    await p.retake('branch', '1', '--title', 'aside')
    const { sessions } = JSON.parse((await p.s.retake('sessions', '--json')).stdout) as {
      sessions: { id: string; title: string; agent: string }[]
    }
    const made = sessions.find(({ id }) => id !== p.session)!
    expect(made).toMatchObject({ title: 'aside', agent: 'codex' })
    expect(await p.agent.probed(made.id)).toEqual(['one'])
    await p.retake('branch', 'rename', made.id, 'a better name')
    const index = await readFile(join(p.agent.home, 'session_index.jsonl'), 'utf8')
    expect(index).toContain('a better name')
  },
)
