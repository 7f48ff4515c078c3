import type { Codex } from '../agent/codex.ts'
import { addFile, type ResponsesModel } from '../model/index.ts'

/** A session whose turns each add a file, named like the prompt. */
export async function threeTurns(model: ResponsesModel, agent: Codex): Promise<string> {
  let session: string | undefined
  for (const prompt of ['one', 'two', 'three']) {
    model.on(prompt, [addFile(`${prompt}.txt`, `${prompt}\n`), 'ok'])
    const turn = await agent.prompt(prompt, session === undefined ? {} : { resume: session })
    session = turn.session
  }
  return session!
}
