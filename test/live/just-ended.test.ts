import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { claudeCode } from '../agent/index.ts'
import { scriptedModel, write, type ScriptedModel } from '../model/index.ts'
import { playSession } from '../operations/play-session.ts'
import { scene, type Scene } from '../scene.ts'
import { procStartOf } from '../house/process-facts.ts'

/** A session of two turns, and an agent that has just become idle before it wrote its last rows. */
async function justEnded(s: Scene, model: ScriptedModel) {
  const agent = claudeCode(s, model)
  const prompts = ['T1', 'T2']
  for (const name of prompts) model.on(name, [write(name, 'x\n'), `did ${name}.`])
  const sessionId = await playSession({ s, agent, prompts, checkpointing: false })
  const { path } = await agent.transcript(sessionId)
  const whole = await readFile(path, 'utf8')
  const procStart = procStartOf(process.pid)
  const registry = join(s.claudeDir, 'sessions')
  return {
    sessionId,
    /** Takes away the rows from the last one with this text on. */
    cutAt: async (mark: string): Promise<void> => {
      const cut = whole.lastIndexOf('\n', whole.lastIndexOf(mark))
      await writeFile(path, `${whole.slice(0, cut)}\n`)
      await mkdir(registry, { recursive: true })
      // The agent's own process list, with this process as the agent.
      const entry = { sessionId, procStart, status: 'idle', kind: 'interactive' }
      await writeFile(
        join(registry, `${process.pid}.json`),
        JSON.stringify({ ...entry, statusUpdatedAt: Date.now() }),
      )
    },
    writeAll: () => writeFile(path, whole),
  }
}

const [PROMPT, RESULT] = ['"content":"T2"', '"type":"tool_result"']

test('[sem.A2][sem.C8] just after a turn, a reader does not take its edit for an interrupted one, and an undo waits until the agent has written the turn down', async () => {
  await using s = await scene({ files: { a: '1\n' }, git: true })
  await using model = await scriptedModel()
  await s.retake('install')
  const { sessionId, cutAt, writeAll } = await justEnded(s, model)
  const undo = async (): Promise<unknown> => {
    const { stdout } = await s.retake('undo', '--only', 'files', '--json', '--session', sessionId)
    return JSON.parse(stdout)
  }
  await cutAt(RESULT)
  await s.retake('log', '--session', sessionId)
  await writeAll()
  expect(await undo()).toMatchObject({ filesReverted: ['T2'], left: [] })

  for (const mark of [PROMPT, RESULT]) {
    await s.retake('op', 'undo', '--yes')
    expect(await s.files()).toHaveProperty('T2')
    await cutAt(mark)
    const undone = undo()
    await sleep(150)
    await writeAll()
    expect(await undone).toMatchObject({ filesReverted: ['T2'] })
    expect(await s.files()).toEqual({ a: '1\n', T1: 'x\n' })
  }
})
