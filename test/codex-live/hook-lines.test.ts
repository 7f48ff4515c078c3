import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { durableDisk } from '#disk'
import { openScanRequests, prepareSpool, readSpool, type HookEvent } from '#agents'
import { hookEntries } from '../../src/agents/codex/hooks/hook-lines.ts'
import { needs } from '../needs.ts'
import { scene, type RunResult, type Scene } from '../scene.ts'

const silent = { code: 0, stdout: '', stderr: '' }
/** What Codex 0.166.0 sent to its hooks in six sessions; 0.148.0 and 0.169.0 send the same. */
const payloads = readFileSync('test/fixtures/codex-live/hook-payloads.jsonl', 'utf8')
  .split('\n')
  .filter((line) => line !== '')

const eventOf = (payload: string): string =>
  (JSON.parse(payload) as { hook_event_name: string }).hook_event_name

function hook(s: Scene, payload: string, shell = ['sh', '-c']): Promise<RunResult> {
  const event = eventOf(payload)
  const { command } = hookEntries().find(([name]) => name === event)![1].hooks[0]!
  return s.run(shell[0]!, [...shell.slice(1), command], { input: payload })
}

const stateOf = (s: Scene): string => join(s.env['XDG_STATE_HOME']!, 'retake')

function spooled(s: Scene): HookEvent[] {
  const { events, garbage } = readSpool(durableDisk, join(stateOf(s), 'spool'), { now: new Date() })
  expect(garbage).toEqual([])
  return events.filter((event) => event.kind === 'hook')
}

async function storesAll(shell: readonly string[]): Promise<void> {
  await using s = await scene({ name: 'a project "x" $y' })
  prepareSpool(durableDisk, stateOf(s))
  for (const payload of payloads) expect(await hook(s, payload, [...shell])).toEqual(silent)
  const want = payloads.map((payload) => {
    const { session_id: session, tool_use_id } = JSON.parse(payload) as Record<string, string>
    return [eventOf(payload), session, tool_use_id].join(' ')
  })
  const told = spooled(s).map(({ name, session, toolUseId }) =>
    [name, session, toolUseId].join(' '),
  )
  expect(told.toSorted()).toEqual(want.toSorted())
}

test('[A1][H1][H3] Codex’s hooks store every event under its session, and print nothing', () =>
  storesAll(['sh', '-c']))

test('the same in bash as a login shell, as Codex runs hooks', () => storesAll(['bash', '-lc']))

needs('zsh')('the same in zsh', () => storesAll(['zsh', '-lc']))

needs('fish')('the same in fish', () => storesAll(['fish', '-lc']))

test('[H2][H5][H11] a hook without a spool, or with a full one, stores nothing', async () => {
  await using s = await scene()
  for (const payload of payloads) expect(await hook(s, payload)).toEqual(silent)
  expect(existsSync(stateOf(s))).toBe(false)
  const spool = prepareSpool(durableDisk, stateOf(s))
  await writeFile(join(spool, 'full'), '')
  for (const payload of payloads) expect(await hook(s, payload)).toEqual(silent)
  expect(spooled(s)).toEqual([])
})

test('a hook skips tools whose edits the rollout records, and input that is no event', async () => {
  await using s = await scene()
  const spool = prepareSpool(durableDisk, stateOf(s))
  const pre = payloads.find((payload) => eventOf(payload) === 'PreToolUse')!
  for (const tool of ['apply_patch', 'update_plan', 'spawn_agent'])
    expect(await hook(s, pre.replace('"tool_name":"Bash"', `"tool_name":"${tool}"`))).toEqual(
      silent,
    )
  const { command } = hookEntries().find(([name]) => name === 'PreToolUse')![1].hooks[0]!
  for (const input of ['', '{}', '{"session_id":"../../x"}', 'session_id'])
    expect(await s.run('sh', ['-c', command], { input })).toEqual(silent)
  expect(spooled(s)).toEqual([])
  expect(await hook(s, pre.replace('"tool_name":"Bash"', '"tool_name":"mcp__db__query"'))).toEqual(
    silent,
  )
  expect(spooled(s).map(({ tool }) => tool)).toEqual(['mcp__db__query'])
  expect(existsSync(spool)).toBe(true)
})

test('[H7][H10][H12] a hook scans around a command, at a prompt and after a turn; it waits before', async () => {
  await using s = await scene()
  prepareSpool(durableDisk, stateOf(s))
  const looked = join(stateOf(s), 'looked')
  await writeFile(join(stateOf(s), 'observe'), `pwd -P >>'${looked}'; echo "$@" >>'${looked}'\n`)
  const find = (event: string): string => payloads.find((payload) => eventOf(payload) === event)!
  const { session_id: session } = JSON.parse(find('Stop')) as { session_id: string }
  const expected = {
    UserPromptSubmit: session,
    PreToolUse: `${session} step`,
    PostToolUse: `${session} step`,
    Stop: `${session} step`,
    SessionEnd: `${session} all`,
  }
  for (const [event, said] of Object.entries(expected)) {
    expect(await hook(s, find(event))).toEqual(silent)
    const read = (): Promise<string> => readFile(looked, 'utf8').catch(() => '')
    await expect.poll(read).toBe(`${s.project}\n${said}\n`)
    await rm(looked)
  }
  const requests = openScanRequests(durableDisk, stateOf(s))
  requests.offer(session, s.project)
  let answered = 0
  const answering = setInterval(() => {
    const asked = requests.asked(new Set([session]))
    answered += asked.length
    requests.answer(asked)
  }, 1)
  expect(await hook(s, find('PreToolUse'))).toEqual(silent)
  clearInterval(answering)
  expect(answered).toBe(1)
  expect(existsSync(looked)).toBe(false)
})

test('[H9] the process that settles a pending move survives the end of the hook’s process group', () =>
  settlesAfterTheHook((s) => s.env['PATH']!))

needs('perl')('[H9] so it does without `setsid`, as on macOS', () =>
  settlesAfterTheHook((s) =>
    pathWith(s, ['sh', 'cat', 'rm', 'mkdir', 'rmdir', 'sleep', 'nice', 'perl']),
  ),
)

test('[H9] without `setsid` and perl, the process starts all the same', async () => {
  await using s = await scene()
  const { state, end } = await pendingEnd(s)
  await writeFile(join(state, 'hook'), `cat >'${s.tmp}/done'\n`)
  const PATH = await pathWith(s, ['sh', 'cat', 'rm', 'mkdir', 'rmdir', 'sleep', 'nice'])
  const { command } = hookEntries().find(([name]) => name === 'SessionEnd')![1].hooks[0]!
  expect(await s.run('/bin/sh', ['-c', command], { input: end, env: { PATH } })).toEqual(silent)
  await expect.poll(() => readFile(`${s.tmp}/done`, 'utf8').catch(() => '')).toBe(end)
})

async function settlesAfterTheHook(pathOf: (s: Scene) => string | Promise<string>): Promise<void> {
  await using s = await scene()
  const { state, end } = await pendingEnd(s)
  const [begun, go, done] = ['begun', 'go', 'done'].map((name) => join(s.tmp, name))
  const waits = `: >${begun}; until [ -e ${go} ]; do sleep 0.02; done; cat >${done}\n`
  await writeFile(join(state, 'hook'), waits)
  const { command } = hookEntries().find(([name]) => name === 'SessionEnd')![1].hooks[0]!
  const env = { ...s.env, PATH: await pathOf(s) }
  const child = s.processes.start('/bin/sh', ['-c', command], { cwd: s.project, env })
  child.stdin!.end(end)
  await expect.poll(() => existsSync(begun!)).toBe(true)
  // As when a terminal closes. The hook itself may have ended.
  try {
    process.kill(-child.pid!, 'SIGTERM')
  } catch {}
  await writeFile(go!, '')
  await expect.poll(() => readFile(done!, 'utf8').catch(() => '')).toBe(end)
}

/** A session with a pending move, and the input of its last hook. */
async function pendingEnd(s: Scene): Promise<{ state: string; end: string }> {
  const state = stateOf(s)
  prepareSpool(durableDisk, state)
  const end = payloads.find((payload) => eventOf(payload) === 'SessionEnd')!
  await mkdir(join(state, 'pending'))
  const { session_id: session } = JSON.parse(end) as { session_id: string }
  await writeFile(join(state, 'pending', session), '')
  return { state, end }
}

/** A PATH that leads only to these programs. */
async function pathWith(s: Scene, programs: readonly string[]): Promise<string> {
  const bin = join(s.tmp, 'bin')
  await mkdir(bin)
  for (const name of programs) {
    const found = s.env['PATH']!.split(':').find((path) => existsSync(join(path, name)))
    await symlink(join(found!, name), join(bin, name))
  }
  return bin
}

test('[H8] a prompt reaches Retake only if it may be a command or a move is pending', async () => {
  await using s = await scene()
  prepareSpool(durableDisk, stateOf(s))
  await writeFile(join(stateOf(s), 'hook'), 'echo "$@"; cat\n')
  const prompt = payloads.find((payload) => eventOf(payload) === 'UserPromptSubmit')!
  const { session_id: session, prompt: was } = JSON.parse(prompt) as Record<string, string>
  const say = (text: string): string =>
    prompt.replace(`"prompt":${JSON.stringify(was)}`, `"prompt":${JSON.stringify(text)}`)
  for (const text of ['undo', ' Undo 2.', '/redo', 'redo 3', 'retake undo', '/retake:log'])
    expect((await hook(s, say(text))).stdout).toBe(`UserPromptSubmit codex\n${say(text)}`)
  for (const text of ['undo the last change', 'please undo', 'say "prompt":"undo" now', '/retake'])
    expect(await hook(s, say(text))).toEqual(silent)
  await mkdir(join(stateOf(s), 'pending'))
  await writeFile(join(stateOf(s), 'pending', session!), '')
  expect((await hook(s, say('go on'))).stdout).toContain('go on')
})
