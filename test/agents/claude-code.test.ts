import { findAgents } from '#agents'
import { write } from '../model/index.ts'
import { played, type Played } from '../operations/played.ts'
import { describeAgent, FILE } from './contract.ts'

const worlds = new Map<string, Played>()

describeAgent({
  name: 'Claude Code',
  agent: (directory) => findAgents({ 'claude-code': directory })[0]!,
  async play(prompts) {
    const turns = prompts.map((prompt) => [prompt, [write(FILE, `${prompt}\n`), 'ok']] as const)
    const p = await played({ turns: Object.fromEntries(turns) })
    worlds.set(p.s.home, p)
    return {
      session: p.id,
      home: p.s.home,
      project: p.s.project,
      directory: p.s.claudeDir,
      [Symbol.asyncDispose]: () => p[Symbol.asyncDispose](),
    }
  },
  async resumed({ home }, session) {
    const { agent, model } = worlds.get(home)!
    await agent.probe(session)
    return model.userTexts().slice(0, -1)
  },
  isSlow: true,
  skip: [],
})
