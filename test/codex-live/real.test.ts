import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { prepareSpool, readSpool, type AgentRun, type RunRequest } from '#agents'
import { durableDisk } from '#disk'
import { commandAfterStop, openForChange, openMachine, openRuns, readSession } from '#engine'
import type { RunEvent } from '#timeline'
import { codexCapture } from '../../src/agents/codex/hooks/index.ts'
import { findLiveProcesses } from '../../src/agents/codex/live/index.ts'
import { startRun } from '../../src/agents/codex/run/index.ts'
import { codex, type Codex } from '../agent/codex.ts'
import { addFile, responsesModel, shell } from '../model/index.ts'
import { needs } from '../needs.ts'
import { scene, type Scene } from '../scene.ts'
import { placesOf } from '../storage/in-process.ts'
import { trustHooks } from './trust-hooks.ts'

interface Played {
  readonly run: AgentRun
  readonly events: RunEvent[]
  readonly steps: string[]
  session(): string | null
}

function play(s: Scene, agent: Codex, prompt: string, more: Partial<RunRequest> = {}): Played {
  const events: RunEvent[] = []
  const steps: string[] = []
  let session: string | null = null
  const run = startRun({
    session: crypto.randomUUID(),
    isNew: true,
    project: s.project,
    prompt,
    images: [],
    turn: crypto.randomUUID(),
    model: null,
    permissionMode: null,
    allowed: { tools: [], mode: null },
    environment: agent.env,
    executable: agent.binary,
    tell: (event) => void events.push(event),
    onSession: (id) => void (session = id),
    onStep: ({ when, isRecorded }) => void steps.push(`${when}${isRecorded ? ' recorded' : ''}`),
    ...more,
  })
  return { run, events, steps, session: () => session }
}

/** Waits for the next request, and answers it. */
async function answer(
  { run, events }: Played,
  how: Parameters<AgentRun['answer']>[1],
  n = 0,
): Promise<void> {
  const asked = (): RunEvent[] => events.filter(({ type }) => type === 'approval')
  await expect.poll(() => asked().length, { timeout: 30_000 }).toBe(n + 1)
  const approval = asked()[n]!
  expect(approval.type === 'approval' && run.answer(approval.id, how)).toBe(true)
}

needs('codex')(
  '[W14][G6] Codex runs a turn with approvals, and a stopped turn writes nothing more',
  async () => {
    await using s = await scene({ git: true, files: { 'a.txt': 'a\n' } })
    await using model = await responsesModel()
    const agent = codex(s, model)
    model.on('add', [[addFile('b.txt', 'b\n')], 'added'])
    model.on('no', [[addFile('c.txt', 'c\n')], 'not added'])
    const slow = 'for i in 1 2 3 4 5 6 7 8 9; do echo $i >> slow.txt; sleep 0.3; done'
    model.on('slow', [[shell(slow)], 'never'])

    const yes = play(s, agent, 'add', { permissionMode: 'plan' })
    await answer(yes, { allow: true })
    expect((await yes.run.ended).outcome).toBe('done')
    expect(yes.events.map(({ type }) => type)).toEqual([
      'tool',
      'approval',
      'approval_answered',
      'tool_result',
      'text',
    ])
    expect(yes.steps).toEqual(['before recorded', 'after recorded'])
    const session = yes.session()!
    expect(session).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(await s.read('b.txt')).toBe('b\n')

    const more = { session, isNew: false }
    const no = play(s, agent, 'no', { ...more, permissionMode: 'plan' })
    await answer(no, { allow: false, reason: 'not now' })
    expect((await no.run.ended).outcome).toBe('done')
    expect(model.userTexts()).toEqual(['add', 'no'])

    const stopped = play(s, agent, 'slow', { ...more, permissionMode: 'bypassPermissions' })
    await expect.poll(() => s.read('slow.txt').catch(() => ''), { timeout: 30_000 }).not.toBe('')
    stopped.run.stop()
    expect((await stopped.run.ended).outcome).toBe('interrupted')
    const left = await s.read('slow.txt')
    const said = stopped.events.length
    await sleep(1000)
    expect(await s.read('slow.txt')).toBe(left)
    expect(stopped.events).toHaveLength(said)
    expect(Object.keys(await s.files()).toSorted()).toEqual(['a.txt', 'b.txt', 'slow.txt'])
    // The next turn continues the same session.
    const next = play(s, agent, 'go on', more)
    expect((await next.run.ended).outcome).toBe('done')
    expect(model.userTexts()).toEqual(['add', 'no', 'slow', 'go on'])
  },
)

needs('codex')(
  'a model that fails, a session that is gone and a missing program end the turn with a reason',
  async () => {
    await using s = await scene()
    await using model = await responsesModel()
    const agent = codex(s, model)
    model.on('down', [{ error: { status: 400, message: 'Out of order.' } }])
    const errors = ({ events }: Played): string[] =>
      events.flatMap((event) => (event.type === 'error' ? [`${event.code}: ${event.message}`] : []))
    const down = play(s, agent, 'down')
    expect((await down.run.ended).outcome).toBe('failed')
    expect(errors(down).join()).toMatch(/^turn-failed: .*Out of order/)
    const gone = play(s, agent, 'x', { isNew: false })
    expect((await gone.run.ended).outcome).toBe('failed')
    expect(errors(gone)).toHaveLength(1)
    const none = play(s, agent, 'x', { executable: join(s.tmp, 'none') })
    expect((await none.run.ended).outcome).toBe('failed')
    expect(errors(none).join()).toMatch(/^agent-not-started: /)
  },
)

needs('codex')(
  'Codex accepts Retake’s hooks, and Retake computes the same hash as Codex',
  async () => {
    await using s = await scene()
    await using model = await responsesModel()
    const agent = codex(s, model)
    const capture = codexCapture(agent.home)
    capture.planInstall(durableDisk, s.project, 'user').apply()
    expect(capture.blockedBy(s.project)?.why).toBe('not-trusted')
    expect(await trustHooks(s, agent)).toBe(7)
    expect(capture.blockedBy(s.project)).toBeNull()

    // Now that they are trusted, they report a session, without a trace in the output.
    const spool = prepareSpool(durableDisk, join(s.env['XDG_STATE_HOME']!, 'retake'))
    model.on('run', [[shell('echo 1 > one.txt')], 'done'])
    const { session, code } = await agent.prompt('run')
    expect(code).toBe(0)
    const { events, garbage } = readSpool(durableDisk, spool, { now: new Date() })
    expect(garbage).toEqual([])
    expect(events.map((event) => `${event.name} ${event.session}`)).toEqual(
      ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'Stop', 'SessionEnd'].map(
        (name) => `${name} ${session}`,
      ),
    )
    expect(model.conversation().join()).not.toContain('hook')
  },
)

needs('codex')(
  'a session is open and busy while Codex plays a turn, and closed after a kill',
  async () => {
    await using s = await scene()
    await using model = await responsesModel()
    const agent = codex(s, model)
    model.on('wait', [{ blocks: ['half'], hang: 'before' }])
    const how = [
      'exec',
      '--skip-git-repo-check',
      '--dangerously-bypass-approvals-and-sandbox',
      'wait',
    ]
    const child = spawn(agent.binary, how, { cwd: s.project, env: agent.env, stdio: 'ignore' })
    await model.hanging()
    const find = (session: string) => {
      const path = agent.rollouts().find((each) => each.includes(session))
      return path === undefined ? null : { path, cwd: s.project, version: null, isLocked: false }
    }
    const live = findLiveProcesses(agent.home, find)!
    expect(live).toMatchObject([{ pid: child.pid, status: 'busy', interactive: false }])
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    expect(findLiveProcesses(agent.home, find)).toEqual([])
  },
)

needs('codex')(
  '[A1][sem.C2] a command for Retake typed in Codex undoes what its shell commands did, without the model',
  async () => {
    await using s = await scene({ git: true, files: { 'a.txt': 'a\n' } })
    await using model = await responsesModel()
    const agent = codex(s, model)
    const env = { CODEX_HOME: agent.home }
    expect((await s.retake('install', { env })).stdout).toContain('hooks.json (a new file)')
    expect((await s.retake('doctor', { env })).stdout).toContain('you have not accepted them')
    await trustHooks(s, agent)
    expect((await s.retake('doctor', { env })).stdout).toContain(
      'Codex: Hooks are installed (user).',
    )

    model.on('one', [[addFile('one.txt', '1\n')], 'did one'])
    model.on('two', [
      [shell('echo 2 > two.txt; rm a.txt; false')],
      [shell('echo b >> one.txt')],
      'did two',
    ])
    const { session } = await agent.prompt('one')
    await agent.prompt('two', { resume: session })
    const log = async (): Promise<{
      turns: {
        prompt: string
        state: string
        coverage: string
        files: { path: string; by: string }[]
      }[]
    }> => JSON.parse((await s.retake('log', '--session', session, '--json', { env })).stdout)
    const before = await log()
    expect(before.turns.map(({ prompt, coverage }) => [prompt, coverage])).toEqual([
      ['one', 'whole-tree'],
      ['two', 'whole-tree'],
    ])
    expect(before.turns[1]!.files.map(({ path, by }) => [path, by])).toEqual([
      ['a.txt', 'shell'],
      ['one.txt', 'shell'],
      ['two.txt', 'shell'],
    ])

    const requests = model.requests.length
    await agent.prompt('retake undo', { resume: session })
    expect(model.requests).toHaveLength(requests)
    expect(await s.files()).toEqual({ 'a.txt': 'a\n', 'one.txt': '1\n' })
    // The hook at the end of the session moves the conversation, after Codex has left it.
    const states = async (): Promise<string[]> => (await log()).turns.map(({ state }) => state)
    await expect.poll(states, { timeout: 60_000 }).toEqual(['active', 'undone'])
    expect(await agent.resumed(session)).toEqual(['one'])
  },
)

needs('codex')(
  '[converse][W14] a new session gets its id from Codex, its turns from Retake, and a stopped one is undone',
  async () => {
    await using s = await scene({ git: true, files: { 'a.txt': 'a\n' } })
    await using model = await responsesModel()
    const agent = codex(s, model)
    model.on('one', [[shell('echo 1 > one.txt')], 'did one'])
    model.on('two', [[shell('echo 2 > two.txt; sleep 30')], 'never'])
    const places = { ...placesOf(s), agents: { ...placesOf(s).agents, codex: agent.home } }
    using machine = openMachine(places, { now: () => new Date(), newId: () => randomUUID() })
    const runs = openRuns(machine, { environment: agent.env, executable: agent.binary })
    const one = runs.converse({ session: null, project: s.project, prompt: 'one', agent: 'codex' })
    await one.named
    const { session } = one
    expect(runs.find(session)).toBe(one)
    expect(await one.ended).toBe('done')
    const read = () => readSession(machine, { session, project: null })
    expect(read().tree.head).toBe(one.turn)

    const two = runs.converse({ session, project: null, prompt: 'two' })
    await expect.poll(() => s.read('two.txt').catch(() => ''), { timeout: 30_000 }).toBe('2\n')
    // Codex reports a command a moment after it began. Stopped before that, its changes are unsure.
    await expect.poll(() => two.log.events.map(({ type }) => type)).toContain('tool')
    const stopped = await runs.stop(session)
    expect(stopped?.run).toBe(two)
    expect(read().tree.head).toBe(two.turn)
    using change = await openForChange(machine, session)
    const command = commandAfterStop({ verb: 'undo', count: 1 }, two.turn, change.session)!
    const planned = await change.plan(command)
    if (planned.kind !== 'planned') throw new Error(planned.kind)
    const { turnsUndone, conversation } = await change.apply(planned)
    expect(turnsUndone).toBe(1)
    expect(await s.files()).toEqual({ 'a.txt': 'a\n', 'one.txt': '1\n' })
    // The app server of 0.148.0 makes sessions that continue as new ones.
    if (conversation === 'moved') expect(await agent.resumed(session)).toEqual(['one'])
    await runs.close()
  },
)
