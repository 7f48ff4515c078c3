import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { claudeCode } from '../test/agent/index.ts'
import { bash, scriptedModel } from '../test/model/index.ts'
import { scene, type Scene } from '../test/scene.ts'
import { serving } from '../test/server/serving.ts'
import { hookEntries } from '../src/agents/claude-code/install-line.ts'
import { installPackage } from './install-package.ts'
import { interleave, median, ratio, spread, tell } from './measure.ts'
import type { Figure, Measured } from './measured.ts'

const CALLS = 30
const ROUNDS = 5

/** What the hooks cost the agent: one alone, and all of them to a call of a tool. */
export async function run(): Promise<Measured> {
  return { figures: [await oneHook(), ...(await allHooks())] }
}

/** An event lies in the spool when the line has run; who reads it listens to the directory. */
async function oneHook(): Promise<Figure> {
  await using s = await scene()
  await install(s)
  const state = join(s.env['XDG_STATE_HOME']!, 'retake')
  const spool = join(state, 'spool')
  // What is started behind the hook's back would take the events away while they are counted.
  writeFileSync(join(state, 'observe'), '')
  const [, entry] = hookEntries().find(([event]) => event === 'PostToolUse')!
  const { command } = entry.hooks[0]!
  const input = JSON.stringify({
    session_id: randomUUID(),
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    tool_response: { stdout: 'ok 1\n'.repeat(500), stderr: '', interrupted: false },
  })
  const env = { ...s.env, CLAUDE_CODE_SESSION_ID: randomUUID() }
  const sh = (line: string): void => {
    const { status } = spawnSync('sh', ['-c', line], {
      env,
      input,
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    if (status !== 0) throw new Error(`sh ended with ${status}`)
  }
  const times = await interleave(40, { hook: () => sh(command), nothing: () => sh('true') })
  const events = readdirSync(spool).length
  if (events !== 41) throw new Error(`41 events were told, and ${events} are in the spool`)
  return ratio('one hook, told and in the spool, against `sh -c true`', times.hook, times.nothing, {
    most: 1.5,
  })
}

/**
 * The real agent calls a shell thirty times, without hooks, with all of them, and with a server that
 * they have look, in turn.
 */
async function allHooks(): Promise<Figure[]> {
  await using model = await scriptedModel()
  model.on('run', [...Array.from({ length: CALLS }, () => [bash('true')]), 'done'])
  await using plain = await scene()
  await using hooked = await scene()
  await using served = await scene()
  for (const s of [hooked, served]) await install(s)
  await using running = new AsyncDisposableStack()
  running.use(await serving(served))
  const times = { plain: [] as number[], hooked: [] as number[], served: [] as number[] }
  for (let round = -1; round < ROUNDS; round += 1) {
    tell(`the agent, round ${round + 1} of ${ROUNDS}`)
    for (const [name, s] of [
      ['plain', plain],
      ['hooked', hooked],
      ['served', served],
    ] as const) {
      const agent = claudeCode(s, model)
      const { sessionId } = await agent.prompt('run', { timeoutMs: 300_000 })
      const { rows } = await agent.transcript(sessionId)
      // The first round only warms up.
      if (round >= 0) times[name].push(perCall(rows))
      for (const file of readdirSync(s.claudeDir))
        if (file === 'projects') rmSync(join(s.claudeDir, file), { recursive: true })
    }
  }
  const without = median(times.plain)
  const costs = (what: string, calls: readonly number[]): Figure => ({
    what,
    value: median(calls) - without,
    unit: 'ms more',
    goal: {
      most: 20,
      why: 'Two shells of its own for each call, and beside them a process that looks at the files, on two cores that the agent needs too.',
    },
    ours: spread(calls),
    other: spread(times.plain),
  })
  return [
    costs('all hooks, for each call of a tool', times.hooked),
    costs('… with a server that looks before each', times.served),
  ]
}

/** From the first call to the last one's result, over all of them; the model answers at once. */
function perCall(rows: readonly Readonly<Record<string, unknown>>[]): number {
  const times = rows
    .filter(({ type }) => type === 'assistant')
    .map(({ timestamp }) => Date.parse(String(timestamp)))
  if (times.length <= CALLS) throw new Error(`only ${times.length} of the calls were made`)
  return (times.at(-1)! - times[0]!) / CALLS
}

/** As who installed the package: a clone starts from its sources, which takes three times as long. */
async function install(s: Scene): Promise<void> {
  const retake = await installPackage(s)
  const { code, stderr } = await s.run(process.execPath, [retake, 'install'])
  if (code !== 0) throw new Error(stderr)
}
