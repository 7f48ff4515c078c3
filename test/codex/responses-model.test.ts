import { expect } from 'vitest'
import { codex } from '../agent/codex.ts'
import { addFile, responsesModel, shell, updateFile } from '../model/index.ts'
import { needs } from '../needs.ts'
import { scene } from '../scene.ts'

needs('codex')(
  '[house] the scripted Responses model answers Codex round by round, and logs its requests',
  async () => {
    await using s = await scene({ files: { 'a.txt': 'one\ntwo\n' } })
    await using model = await responsesModel()
    const agent = codex(s, model)
    model.on('first', [
      updateFile('a.txt', 'two\n', 'TWO\n'),
      [addFile('b.txt', 'b\n'), shell('echo hi > c.txt')],
      'done',
    ])
    const { session, code } = await agent.prompt('first')
    expect(code).toBe(0)
    expect(await s.files()).toEqual({ 'a.txt': 'one\nTWO\n', 'b.txt': 'b\n', 'c.txt': 'hi\n' })
    model.on('second', [{ blocks: ['late'], hang: 'before' }])
    const second = agent.prompt('second', { resume: session })
    await model.hanging()
    expect(model.userTexts()).toEqual(['first', 'second'])
    model.release()
    expect((await second).stdout).toContain('late')
    expect(model.requests).toHaveLength(4)
    expect(await agent.resumed(session)).toEqual(['first', 'second'])
  },
)
