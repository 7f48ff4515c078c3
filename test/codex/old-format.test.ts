import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'vitest'
import { codex } from '../agent/codex.ts'
import { addFile, responsesModel } from '../model/index.ts'
import { needs } from '../needs.ts'
import { scene } from '../scene.ts'
import { recordedFacts } from './recorded-home.ts'

const recorded = fileURLToPath(new URL('../fixtures/codex', import.meta.url))

for (const version of ['0.99.0', '0.125.0'])
  needs('codex')(
    `[port] a session of Codex ${version} that a newer one went on with is read, and continues in a new session after an undo`,
    async () => {
      await using s = await scene()
      await using model = await responsesModel()
      cpSync(join(recorded, version), join(s.home, '.codex'), { recursive: true })
      const agent = codex(s, model)
      const session = recordedFacts(version).scenarios['plain']!
      model.on('newer', [addFile('n.txt', 'n\n'), 'ok'])
      await agent.prompt('newer', { resume: session })
      const log = JSON.parse((await s.retake('log', '--json', '--session', session)).stdout) as {
        turns: { prompt: string; steps: number }[]
      }
      expect(log.turns.map(({ prompt, steps }) => [prompt, steps])).toEqual([
        ['one', 3],
        ['two', 2],
        ['three', 3],
        ['newer', 1],
      ])
      // The project of the recording does not exist here.
      const args = ['undo', '2', '--only', 'chat', '--session', session, '--json', '--yes']
      const undone = await s.retake(...args)
      expect(undone.code, undone.stdout).toBe(0)
      const { continues } = JSON.parse(undone.stdout) as {
        continues: { session: string; because: string }
      }
      expect(continues.because).toContain('older format')
      expect(await agent.probed(continues.session)).toEqual(['one', 'two'])
      expect(await agent.probed(session)).toEqual(['one', 'two', 'three', 'newer'])
    },
  )
