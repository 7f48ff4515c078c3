import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { claudeCode } from '../agent/index.ts'
import { scriptedModel, write, type ScriptedModel } from '../model/index.ts'
import { scene, type Scene } from '../scene.ts'

/** A session of two turns, and an agent that has just become idle before it wrote its last rows. */
async function justEnded(s: Scene, model: ScriptedModel) {
  const agent = claudeCode(s, model)
  for (const name of ['T1', 'T2']) model.on(name, [write(name, 'x\n'), `did ${name}.`])
  const { sessionId } = await agent.prompt('T1')
  await agent.prompt('T2', { resume: sessionId })
  const { path } = await agent.transcript(sessionId)
  const whole = await readFile(path, 'utf8')
  const stat = await readFile(`/proc/${process.pid}/stat`, 'latin1')
  const procStart = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
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

test('[sem.C8] an undo right after a turn waits until the agent has written the turn down', async () => {
  await using s = await scene({ files: { a: '1\n' }, git: true })
  await using model = await scriptedModel()
  const { sessionId, cutAt, writeAll } = await justEnded(s, model)
  for (const mark of [PROMPT, RESULT]) {
    await cutAt(mark)
    const undone = s.retake('undo', '--only', 'files', '--json', '--session', sessionId)
    await sleep(150)
    await writeAll()
    const { stdout } = await undone
    expect(JSON.parse(stdout)).toMatchObject({ filesReverted: ['T2'] })
    expect(await s.files()).toEqual({ a: '1\n', T1: 'x\n' })
    await s.retake('op', 'undo', '--yes')
    expect(await s.files()).toHaveProperty('T2')
  }
})

test('[sem.A2] a reader does not take an edit for an interrupted one just after its turn', async () => {
  await using s = await scene({ files: { a: '1\n' }, git: true })
  await using model = await scriptedModel()
  await s.retake('install')
  const { sessionId, cutAt, writeAll } = await justEnded(s, model)
  await cutAt(RESULT)
  await s.retake('log', '--session', sessionId)
  await writeAll()
  const { stdout } = await s.retake('undo', '--only', 'files', '--json', '--session', sessionId)
  expect(JSON.parse(stdout)).toMatchObject({ filesReverted: ['T2'], left: [] })
})
