import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compare, openMachine, search, indexSessions, type Machine } from '#engine'
import { readEnvironment } from '../src/cli/environment.ts'
import { scene, type Scene } from '../test/scene.ts'
import { writeFork } from './generate-fork.ts'
import { writeSessions } from './generate-transcripts.ts'
import { interleave, ratio, spread, tell } from './measure.ts'
import type { Figure, Measured, Times } from './measured.ts'
import { SESSIONS } from './sizes.ts'

const TURNS = 1000

/** Searching all sessions, and comparing two long branches. */
export async function run(): Promise<Measured> {
  return { figures: [...(await searching()), ...(await comparing())] }
}

function machineOf(s: Scene): Machine {
  const { places } = readEnvironment(s.env, {})
  return openMachine(places, { now: () => new Date(), newId: () => randomUUID() })
}

async function searching(): Promise<Figure[]> {
  await using s = await scene()
  tell(`${SESSIONS} sessions`)
  writeSessions(s.claudeDir, SESSIONS)
  using machine = machineOf(s)
  const start = performance.now()
  indexSessions(machine, { enough: () => false })
  const first = spread([performance.now() - start])
  const projects = join(s.claudeDir, 'projects')
  const times = await interleave(5, {
    search: () => search(machine, 'fix handler tests', { limit: 24, maxMs: 50 }),
    raw: () => readAll(projects, () => {}),
    parse: { act: () => readAll(projects, parseLines), atMost: 3 },
    // The way without an index; it knows neither turns nor branches.
    grep: () => execFileSync('sh', ['-c', 'LC_ALL=C grep -rF "fix the" "$0" | wc -l', projects]),
  })
  return [
    ratio(`search ${SESSIONS} sessions, against grep over their files`, times.search, times.grep, {
      least: 3,
    }),
    ratio(
      `first search, which reads all ${SESSIONS}, against reading their bytes`,
      first,
      times.raw,
      {
        most: 4,
        why: `JSON.parse of the same rows alone takes ${timesAsLong(times.parse, times.raw)} times as long as reading their bytes, and the index needs the words too. It runs on a worker thread, and a search shows what is found so far.`,
      },
    ),
  ]
}

function readAll(projects: string, use: (bytes: Buffer) => void): void {
  for (const name of readdirSync(projects))
    for (const file of readdirSync(join(projects, name)))
      use(readFileSync(join(projects, name, file)))
}

function parseLines(bytes: Buffer): void {
  for (const line of bytes.toString('utf8').split('\n')) if (line !== '') JSON.parse(line)
}

function timesAsLong(one: Times, other: Times): string {
  return 'failed' in one || 'failed' in other ? 'some' : (one.median / other.median).toFixed(1)
}

async function comparing(): Promise<Figure[]> {
  await using s = await scene({ files: { 'a.txt': 'start\n' } })
  const { path, session, tips } = writeFork(s, { shared: 1, branches: 2, turns: TURNS })
  const [a, b] = tips as [string, string]
  using machine = machineOf(s)
  const wanted = { session, project: null }
  const compared = compare(machine, wanted, [a, b], { reveal: false })
  if (compared.sides.some(({ turns }) => turns.length !== TURNS)) throw new Error('not compared')
  const times = await interleave(5, {
    compare: () => compare(machine, wanted, [a, b], { reveal: false }),
    parse: () => {
      parseLines(readFileSync(path))
    },
  })
  const what = `compare two branches of ${TURNS} turns, against JSON.parse of the transcript`
  return [ratio(what, times.compare, times.parse, { most: 25 })]
}
