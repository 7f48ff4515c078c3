import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { applyOperation, openMachine, openProject, planOperation } from '#engine'
import { readEnvironment } from '../src/cli/environment.ts'
import { claudeCode } from '../test/agent/index.ts'
import { read, scriptedModel, write } from '../test/model/index.ts'
import { scene } from '../test/scene.ts'
import { drawLines, interleave, ratio, tell, type Way } from './measure.ts'
import type { Measured, Times } from './measured.ts'
import { repeatOperations } from './repeat-operations.ts'
import { restoreWay } from './restore-ways.ts'
import { writeRepository } from './snapshots-tree.ts'

const ROUNDS = 9
const FILES = 10_000
/** The first ones are those that earlier rounds made. */
const OPERATIONS = [20, 100, 1000, 5000]

/**
 * A complete undo of a turn that the real agent played: plan, journal, files, conversation, check.
 */
export async function run(): Promise<Measured> {
  await using s = await scene()
  await using model = await scriptedModel()
  const paths = writeRepository(s.project, FILES)
  const [changed, other] = [paths[7]!, paths[FILES / 2]!]
  const before = readFileSync(join(s.project, changed), 'utf8')
  model.on('first', ['hello'])
  model.on('change', [[read(changed)], [write(changed, `${before}// more\n`)], 'done'])
  const agent = claudeCode(s, model)
  const { sessionId } = await agent.prompt('first')
  await agent.prompt('change', { resume: sessionId, checkpointing: true })

  const { places } = readEnvironment(s.env, {})
  using machine = openMachine(places, { now: () => new Date(), newId: () => crypto.randomUUID() })
  using project = openProject(machine, s.project)
  const wanted = { session: sessionId, project: null }
  const move = async (verb: 'undo' | 'redo'): Promise<void> => {
    const planned = await planOperation(machine, project, wanted, { verb, count: 1, whole: true })
    if (planned.kind !== 'planned') throw new Error('there is nothing to do')
    await applyOperation(machine, project, planned)
  }
  using restore = restoreWay({ data: join(s.root, 'bench'), repo: s.project, paths: [other] })
  const undo: Way = {
    act: () => move('undo'),
    async after() {
      if (readFileSync(join(s.project, changed), 'utf8') !== before) throw new Error('not undone')
      await move('redo')
    },
  }
  const times = await interleave(ROUNDS, { undo, restore: restore.way })
  const grown: (readonly [number, { undo: Times }])[] = []
  for (const count of OPERATIONS) {
    tell(`${count} operations`)
    repeatOperations(project.store, count)
    grown.push([count, await interleave(ROUNDS, { undo })])
  }
  const name = `${FILES.toLocaleString('en')} files: undo of 1 turn, against the restore of its file alone`
  return {
    figures: [
      ratio(name, times.undo, times.restore, {
        most: 2,
        why: 'The undo waits for the disk nine times, the restore six times. Retake also plans twice, the second time under the lock, and reads the session three times. Starting `getfattr` once takes 0.4 of the restore: Node cannot read extended attributes itself.',
      }),
      ratio(
        'undo after 5,000 operations, against after 20',
        grown.at(-1)![1].undo,
        grown[0]![1].undo,
        { most: 1.5 },
      ),
    ],
    curves: [
      {
        name: 'operations',
        what: 'Undo of one turn after so many operations in the project',
        over: 'operations',
        unit: 'ms',
        lines: drawLines({ undo: 'Retake' }, ['undo'], grown),
      },
    ],
  }
}
