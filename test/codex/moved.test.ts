import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { codex, type Codex } from '../agent/codex.ts'
import { codexServer } from '../agent/codex-server.ts'
import { responsesModel } from '../model/index.ts'
import { needs } from '../needs.ts'
import { scene, type Scene } from '../scene.ts'
import { threeTurns } from './three-turns.ts'

/** The prompts of the turns that Codex itself lists, oldest first. */
async function turnsListed(s: Scene, agent: Codex, threadId: string): Promise<string[]> {
  await using server = await codexServer(s, agent)
  await server.call('thread/resume', { threadId })
  const { data } = await server.call<{
    data: { items: { type: string; content: { text: string }[] }[] }[]
  }>('thread/turns/list', { threadId })
  return data
    .map(({ items }) => items.find(({ type }) => type === 'userMessage')!.content[0]!.text)
    .toReversed()
}

needs('codex')(
  '[port] after every move, Codex lists the turns that its model gets, and one session',
  async () => {
    await using s = await scene()
    await using model = await responsesModel()
    const agent = codex(s, model)
    const session = await threeTurns(model, agent)
    const retake = async (...args: string[]): Promise<void> => {
      const { code, stdout } = await s.retake(...args, '--session', session, '--json', '--yes')
      expect(code, stdout).toBe(0)
    }
    const first = agent.rollouts()[0]!
    const written = readFileSync(first)
    for (const [args, kept] of [
      [['undo', '2'], ['one']],
      [['redo'], ['one', 'two']],
      [['redo'], ['one', 'two', 'three']],
      [
        ['undo', '1', '--only', 'chat'],
        ['one', 'two'],
      ],
    ] as const) {
      await retake(...args)
      expect(await turnsListed(s, agent, session), args.join(' ')).toEqual(kept)
      expect(await agent.probed(session), args.join(' ')).toEqual(kept)
    }
    // Codex goes on from there, and Retake has both lines.
    model.on('four', 'ok')
    await agent.prompt('four', { resume: session })
    expect(await turnsListed(s, agent, session)).toEqual(['one', 'two', 'four'])
    await retake('switch', 'main')
    expect(await agent.probed(session)).toEqual(['one', 'two', 'three'])
    expect(readFileSync(first).subarray(0, written.length)).toEqual(written)
    const { stdout } = await s.retake('sessions', '--all', '--json')
    expect((JSON.parse(stdout) as { sessions: unknown[] }).sessions).toHaveLength(1)
  },
)

needs('codex')(
  '[port] an archived session stays as it is, and its conversation continues in a new one',
  async () => {
    await using s = await scene()
    await using model = await responsesModel()
    const agent = codex(s, model)
    const session = await threeTurns(model, agent)
    {
      await using server = await codexServer(s, agent)
      await server.call('thread/archive', { threadId: session })
    }
    const [archived] = agent.rollouts()
    const written = readFileSync(archived!)
    const undone = await s.retake('undo', '--session', session, '--json', '--yes')
    expect(undone.code, undone.stdout).toBe(0)
    const { continues } = JSON.parse(undone.stdout) as {
      continues: { session: string; because: string }
    }
    expect(continues.because).toBe('Codex has this session in its archive')
    expect(await agent.probed(continues.session)).toEqual(['one', 'two'])
    expect(Object.keys(await s.files())).toEqual(['one.txt', 'two.txt'])
    expect(readFileSync(archived!)).toEqual(written)
  },
)
