import { findAgents } from '#agents'
import { codex, type Codex } from '../agent/codex.ts'
import { addFile, responsesModel, updateFile } from '../model/index.ts'
import { scene } from '../scene.ts'
import { describeAgent, FILE } from './contract.ts'

const worlds = new Map<string, Codex>()

describeAgent({
  name: 'Codex',
  needs: ['codex'],
  agent: (directory) => findAgents({ codex: directory })[0]!,
  async play(prompts) {
    const s = await scene()
    const model = await responsesModel()
    const agent = codex(s, model)
    let session: string | undefined
    for (const [n, prompt] of prompts.entries()) {
      const edit =
        n === 0
          ? addFile(FILE, `${prompt}\n`)
          : updateFile(FILE, `${prompts[n - 1]}\n`, `${prompt}\n`)
      model.on(prompt, [edit, 'ok'])
      const turn = await agent.prompt(prompt, session === undefined ? {} : { resume: session })
      session = turn.session
    }
    worlds.set(s.home, agent)
    return {
      session: session!,
      home: s.home,
      project: s.project,
      directory: agent.home,
      async [Symbol.asyncDispose]() {
        await model[Symbol.asyncDispose]()
        await s[Symbol.asyncDispose]()
      },
    }
  },
  resumed: ({ home }, session) => worlds.get(home)!.probed(session),
  skip: [],
})
