import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compare, openMachine, search, takeIn, type Machine } from '#engine'
import { readEnvironment } from '../src/cli/environment.ts'
import { scene, type Scene } from '../test/scene.ts'
import { writeSessions } from './generate-transcripts.ts'
import { interleave, NO_GOAL, ratio, type Figure } from './measure.ts'

const SESSIONS = 5000
const TURNS = 1000

/** Searching all sessions, and comparing two long branches. */
export async function run(): Promise<Figure[]> {
  return [...(await searching()), ...(await comparing())]
}

function machineOf(s: Scene): Machine {
  const { places } = readEnvironment(s.env, {})
  return openMachine(places, { now: () => new Date(), newId: () => randomUUID() })
}

async function searching(): Promise<Figure[]> {
  await using s = await scene()
  writeSessions(s.claudeDir, SESSIONS)
  using machine = machineOf(s)
  const start = performance.now()
  takeIn(machine, { enough: () => false })
  const first = performance.now() - start
  const projects = join(s.claudeDir, 'projects')
  const times = await interleave(5, {
    search: () => search(machine, 'fix handler tests', { limit: 24, patience: 50 }),
    raw: () => readAll(projects),
    // What one does without an index; it knows neither turns nor branches.
    grep: () => execFileSync('sh', ['-c', 'LC_ALL=C grep -rF "fix the" "$0" | wc -l', projects]),
  })
  return [
    ratio(`search ${SESSIONS} sessions, against grep over their files`, times.search, times.grep, {
      least: 3,
    }),
    {
      what: `first search, which reads all ${SESSIONS}, against reading their bytes`,
      figure: `${(first / times.raw).toFixed(1)}× (${first.toFixed(0)} against ${times.raw.toFixed(0)} ms)`,
      goal: NO_GOAL,
      reached: true,
    },
  ]
}

function readAll(projects: string): void {
  for (const name of readdirSync(projects))
    for (const file of readdirSync(join(projects, name))) readFileSync(join(projects, name, file))
}

async function comparing(): Promise<Figure[]> {
  await using s = await scene({ files: { 'a.txt': 'start\n' } })
  const { path, session, tips } = writeFork(s)
  using machine = machineOf(s)
  const wanted = { session, project: null }
  const compared = compare(machine, wanted, tips)
  if (compared.sides.some(({ turns }) => turns.length !== TURNS)) throw new Error('not compared')
  const times = await interleave(5, {
    compare: () => compare(machine, wanted, tips),
    parse: () => {
      for (const line of readFileSync(path, 'utf8').split('\n')) if (line !== '') JSON.parse(line)
    },
  })
  const what = `compare two branches of ${TURNS} turns, against JSON.parse of the transcript`
  return [ratio(what, times.compare, times.parse, { most: 25 })]
}

/** One shared turn, then two lines of turns that each write a file. */
function writeFork(s: Scene): { path: string; session: string; tips: [string, string] } {
  const session = randomUUID()
  const directory = join(s.claudeDir, 'projects', s.project.replaceAll(/[^a-zA-Z0-9]/g, '-'))
  mkdirSync(directory, { recursive: true })
  const lines: string[] = []
  let time = Date.UTC(2026, 0, 1)
  const row = (type: string, parent: string | null, more: object): string => {
    const uuid = randomUUID()
    time += 1000
    const about = {
      parentUuid: parent,
      isSidechain: false,
      type,
      ...more,
      uuid,
      timestamp: new Date(time).toISOString(),
      userType: 'external',
      cwd: s.project,
      sessionId: session,
      version: '2.1.325',
      gitBranch: 'main',
    }
    lines.push(JSON.stringify(about))
    return uuid
  }
  const turn = (parent: string | null, name: string): { prompt: string; end: string } => {
    const message = { role: 'user', content: `Write ${name}` }
    const prompt = row('user', parent, { message, promptSource: 'typed' })
    const id = `toolu_${name}`
    const input = { file_path: join(s.project, `${name}.txt`), content: `${name}\n` }
    const call = row('assistant', prompt, {
      message: {
        id: `msg_${name}`,
        type: 'message',
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'Write', input }],
        usage: { input_tokens: 100, output_tokens: 20 },
      },
    })
    const result = { type: 'create', filePath: input.file_path, content: input.content }
    const end = row('user', call, {
      message: {
        role: 'user',
        content: [{ tool_use_id: id, type: 'tool_result', content: 'File created' }],
      },
      toolUseResult: { ...result, structuredPatch: [], originalFile: null },
    })
    return { prompt, end }
  }
  const first = turn(null, 'first')
  const [a, b] = ['a', 'b'].map((side) => {
    let last = first
    for (let n = 0; n < TURNS; n++) last = turn(last.end, `${side}${n}`)
    return last.prompt
  })
  const path = join(directory, `${session}.jsonl`)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return { path, session, tips: [a!, b!] }
}
