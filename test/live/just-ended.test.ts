import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { claudeCode } from '../agent/index.ts'
import { scriptedModel, write } from '../model/index.ts'
import { scene } from '../scene.ts'

test('[sem.C8] an undo right after a turn waits until the agent has written the turn down', async () => {
  await using s = await scene({ files: { a: '1\n' }, git: true })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  for (const name of ['T1', 'T2']) model.on(name, [write(name, 'x\n'), `did ${name}.`])
  const { sessionId } = await agent.prompt('T1')
  await agent.prompt('T2', { resume: sessionId })
  const { path } = await agent.transcript(sessionId)
  const whole = await readFile(path, 'utf8')
  const [prompt, result] = ['"content":"T2"', '"type":"tool_result"'].map((mark) =>
    whole.lastIndexOf('\n', whole.lastIndexOf(mark)),
  ) as [number, number]
  // The agent's own process list, with this process as the agent.
  const stat = await readFile(`/proc/${process.pid}/stat`, 'latin1')
  const procStart = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  await mkdir(join(s.claudeDir, 'sessions'), { recursive: true })
  for (const written of [prompt, result]) {
    await writeFile(path, `${whole.slice(0, written)}\n`)
    const entry = { sessionId, procStart, status: 'idle', kind: 'interactive' }
    await writeFile(
      join(s.claudeDir, 'sessions', `${process.pid}.json`),
      JSON.stringify({ ...entry, statusUpdatedAt: Date.now() }),
    )
    const undone = s.retake('undo', '--only', 'files', '--json', '--session', sessionId)
    await sleep(150)
    await writeFile(path, whole)
    const { stdout } = await undone
    expect(JSON.parse(stdout)).toMatchObject({ filesReverted: ['T2'] })
    expect(await s.files()).toEqual({ a: '1\n', T1: 'x\n' })
    await s.retake('op', 'undo', '--yes')
    expect(await s.files()).toHaveProperty('T2')
  }
})
