import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { applyOperation, openMachine, openProject, planOperation, readLog, readTree } from '#engine'
import type { Command } from '#protocol'
import { readEnvironment } from '../src/cli/environment.ts'
import { scene } from '../test/scene.ts'
import { writeFork } from './generate-fork.ts'
import { drawLines, interleave, spread, tell } from './measure.ts'
import type { Measured, Times } from './measured.ts'
import { BRANCHES } from './sizes.ts'

const TURNS = 25
const ROUNDS = 7
const CURVE = {
  tree: '`tree`',
  log: '`log`',
  switch: '`switch` to another branch',
  undo: '`undo` of one turn',
} as const

/** Reads and moves a session with more and more branches, in one process. */
export async function run(): Promise<Measured> {
  const all: (readonly [number, Partial<Record<keyof typeof CURVE, Times>>, number])[] = []
  for (const count of BRANCHES) all.push([count, ...(await withBranches(count))])
  const needed = all.map(([at, , memory]) => [at, { memory: spread([memory]) }] as const)
  return {
    figures: [],
    curves: [
      {
        name: 'branches',
        what: `Branches of ${TURNS} turns in one session`,
        over: 'branches',
        unit: 'ms',
        lines: drawLines(
          CURVE,
          ['tree', 'log', 'switch', 'undo'],
          all.map(([at, times]) => [at, times] as const),
        ),
      },
      {
        name: 'branches-memory',
        what: 'Memory of a process that has read the tree and the log',
        over: 'branches',
        unit: 'MB',
        lines: drawLines({ memory: 'Retake' }, ['memory'], needed),
      },
    ],
  }
}

async function withBranches(
  count: number,
): Promise<[Partial<Record<keyof typeof CURVE, Times>>, number]> {
  tell(`${count} branches`)
  await using s = await scene()
  const { session } = writeFork(s, { shared: TURNS, branches: count, turns: TURNS })
  const { places } = readEnvironment(s.env, {})
  using machine = openMachine(places, { now: () => new Date(), newId: () => randomUUID() })
  using project = openProject(machine, s.project)
  const wanted = { session, project: null }
  const move = async (command: Command): Promise<void> => {
    const planned = await planOperation(machine, project, wanted, command)
    if (planned.kind !== 'planned') throw new Error(`${command.verb}: there is nothing to do`)
    await applyOperation(machine, project, planned)
  }
  const { branches } = readTree(machine, wanted)
  if (branches.length !== count) throw new Error(`${branches.length} branches, not ${count}`)
  const current = branches.find(({ current }) => current)!
  const other = branches.find(({ id }) => id !== current.id)
  const last = join(s.project, `branch${count - 1}-${TURNS - 1}.txt`)
  const times = await interleave(ROUNDS, {
    tree: () => readTree(machine, wanted),
    log: () => readLog(machine, wanted),
    undo: {
      act: () => move({ verb: 'undo', count: 1 }),
      async after() {
        if (existsSync(last)) throw new Error('not undone')
        await move({ verb: 'redo', count: 1 })
      },
    },
    switch:
      other === undefined
        ? null
        : {
            act: () => move({ verb: 'switch', branch: other.id }),
            async after() {
              if (existsSync(last)) throw new Error('not switched')
              await move({ verb: 'switch', branch: current.id })
            },
          },
  })
  return [times, memoryToRead(s.env, session)]
}

/** In its own process, because this one's heap has already grown. */
function memoryToRead(env: Readonly<Record<string, string>>, session: string): number {
  const program = fileURLToPath(new URL('branches-memory.ts', import.meta.url))
  return Number(execFileSync(process.execPath, [program, session], { env, encoding: 'utf8' }))
}
