import { spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { claudeCode } from '../test/agent/index.ts'
import { bash, scriptedModel, type ScriptedModel } from '../test/model/index.ts'
import { scene, type Scene } from '../test/scene.ts'
import { serving } from '../test/server/serving.ts'
import { hookEntries } from '../src/agents/claude-code/hooks/install-line.ts'
import { installPackage } from './install-package.ts'
import { interleave, median, ratio, spread, tell } from './measure.ts'
import type { Figure, Measured } from './measured.ts'

const CALLS = 24
const ROUNDS = 6

/** The cost of the hooks for the agent: of a single one, and of all of them per tool call. */
export async function run(): Promise<Measured> {
  return { figures: [await oneHook(), ...(await allHooks())] }
}

/** The event is in the spool when the hook ends; readers watch the directory. */
async function oneHook(): Promise<Figure> {
  await using s = await scene()
  await install(s)
  const state = stateOf(s)
  const spool = join(state, 'spool')
  // An observer in the background would consume the events while they are counted.
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
  if (events !== 41) throw new Error(`41 events were sent, and ${events} are in the spool`)
  return ratio(
    'one hook, with its event in the spool, against `sh -c true`',
    times.hook,
    times.nothing,
    {
      most: 1.5,
    },
  )
}

/** The agent's setups: the first has no hooks, the others are compared with it. */
const ways = {
  plain: async () => {},
  nothing: (s) => addHooksThatDoNothing(s),
  unseen: async (s) => {
    await install(s)
    rmSync(join(stateOf(s), 'observe'))
  },
  hooked: install,
  served: install,
} as const satisfies Record<string, (s: Scene) => Promise<void>>

type WayName = keyof typeof ways
const names = Object.keys(ways) as WayName[]

/**
 * The real agent runs shell steps repeatedly: without hooks, with empty hooks, with Retake's hooks
 * without scans, with Retake's hooks, and the same with a server. Interleaved, in alternating
 * order.
 */
async function allHooks(): Promise<Figure[]> {
  await using model = await scriptedModel()
  model.on('run', [...Array.from({ length: CALLS }, () => [bash('true')]), 'done'])
  await using made = new AsyncDisposableStack()
  const scenes = new Map<WayName, Scene>()
  for (const name of names) {
    const s = made.use(await scene())
    await ways[name](s)
    if (name === 'served') made.use(await serving(s))
    scenes.set(name, s)
  }
  const rounds: Record<WayName, number>[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    tell(`the agent, round ${round} of ${ROUNDS}`)
    const times = {} as Record<WayName, number>
    for (const name of round % 2 === 0 ? names : names.toReversed())
      times[name] = await callsOf(scenes.get(name)!, model)
    // The first round only warms up.
    if (round > 0) rounds.push(times)
  }
  const timesOf = (name: WayName): number[] => rounds.map((times) => times[name])
  // Uses medians, so that the shares of a cost add up.
  const more = (name: WayName, than: WayName = 'plain'): number =>
    median(timesOf(name)) - median(timesOf(than))
  const costs = (what: string, name: WayName, most: number | null): Figure => {
    // Only what Retake can change counts for the goal.
    const than: WayName = most === null ? 'plain' : 'nothing'
    const differences = spread(rounds.map((times) => times[name] - times[than]))
    if ('failed' in differences) throw new Error(differences.failed)
    const { low, high } = differences
    const ms = (time: number): string => `${time.toFixed(1)} ms`
    const why =
      `Hooks that do nothing cost ${ms(more('nothing'))}: Claude Code starts a shell before and after each call, whatever the shell does. ` +
      `Recording the two events adds ${ms(more('unseen', 'nothing'))}, and scanning the files ${ms(more(name, 'unseen'))}, ` +
      (name === 'served'
        ? 'in the server, whose scan before the call the hook waits for.'
        : 'in a process that the prompt starts and each call waits for.') +
      ' A shell reads its input byte by byte (1 ms for each kilobyte), so recording an event takes a second process, `cat`. An `async` hook after the call would not be waited for, but Claude Code 2.1.116 writes a row for each.'
    return {
      what,
      value: more(name, than),
      unit: 'ms more',
      goal: { most, why },
      note: `by rounds ${low.toFixed(1)} to ${high.toFixed(1)}`,
      ours: spread(timesOf(name)),
      other: spread(timesOf(than)),
    }
  }
  return [
    costs('hooks that do nothing, for each call of a tool', 'nothing', null),
    costs('our hooks without scans, for each call', 'unseen', null),
    costs('all hooks, for each call of a tool, beside hooks that do nothing', 'hooked', 6),
    costs('… with a server that scans before each', 'served', 6),
  ]
}

/** Milliseconds per call in one session. */
async function callsOf(s: Scene, model: ScriptedModel): Promise<number> {
  const agent = claudeCode(s, model)
  const { sessionId } = await agent.prompt('run', { timeoutMs: 300_000 })
  const { rows } = await agent.transcript(sessionId)
  rmSync(join(s.claudeDir, 'projects'), { recursive: true })
  // Wait for scans in the background, which would slow the next setup down.
  const isLooking = (): boolean =>
    existsSync(stateOf(s)) && readdirSync(stateOf(s)).some((name) => name.startsWith('look.'))
  while (isLooking()) await setTimeout(20)
  return perCall(rows)
}

/** From the first call to the last result, divided by the calls; the model answers at once. */
function perCall(rows: readonly Readonly<Record<string, unknown>>[]): number {
  const times = rows
    .filter(({ type }) => type === 'assistant')
    .map(({ timestamp }) => Date.parse(String(timestamp)))
  if (times.length <= CALLS) throw new Error(`only ${times.length} of the calls were made`)
  return (times.at(-1)! - times[0]!) / CALLS
}

/** For the same events and tools as Retake's: the cost of Claude Code itself. */
async function addHooksThatDoNothing(s: Scene): Promise<void> {
  const entries = hookEntries().map(([event, { hooks, ...entry }]) => [
    event,
    [{ ...entry, hooks: hooks.map((hook) => ({ ...hook, command: 'exit 0' })) }],
  ])
  const settings = { hooks: Object.fromEntries(entries) }
  writeFileSync(join(s.claudeDir, 'settings.json'), JSON.stringify(settings))
}

const stateOf = (s: Scene): string => join(s.env['XDG_STATE_HOME']!, 'retake')

/** As in an installed package: a clone runs from its sources, which takes three times as long. */
async function install(s: Scene): Promise<void> {
  const retake = await installPackage(s)
  const { code, stderr } = await s.run(process.execPath, [retake, 'install'])
  if (code !== 0) throw new Error(stderr)
}
