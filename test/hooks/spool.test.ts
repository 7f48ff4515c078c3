import { once } from 'node:events'
import { existsSync } from 'node:fs'
import {
  chmod,
  mkdir,
  readFile,
  readdir,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import * as adapter from '../agent/claude-parts.ts'
import { durableDisk } from '#disk'
import { hookEntries } from '../../src/agents/claude-code/hooks/install-line.ts'
import { needs } from '../needs.ts'
import { scene, type Scene } from '../scene.ts'
import { hookWorld } from './hook-world.ts'

const entry = (event: string): string =>
  hookEntries().find(([name]) => name === event)![1].hooks[0]!.command

const line = entry('PostToolUse')

function eventText(more: object): string {
  return JSON.stringify({
    session_id: 'one',
    transcript_path: '/t.jsonl',
    cwd: '/p',
    hook_event_name: 'PostToolUse',
    ...more,
  })
}

const hook = (
  s: Scene,
  input: string,
  {
    shell = 'dash',
    env = {},
    command = line,
  }: { shell?: string; env?: Record<string, string | undefined>; command?: string } = {},
): ReturnType<Scene['run']> =>
  s.run(shell, ['-c', command], { input, env: { CLAUDE_CODE_SESSION_ID: 'one', ...env } })

const silent = { code: 0, stdout: '', stderr: '' }

test('[H3] an event is stored as received, without the bodies of results', async () => {
  await using s = await scene()
  const world = hookWorld(s)
  const before = BigInt(Date.now() - 20) * 1_000_000n
  for (const shell of ['dash', 'bash'])
    expect(
      await hook(
        s,
        eventText({
          prompt_id: 'p1',
          agent_id: 'a1',
          tool_name: 'Bash',
          tool_use_id: 'toolu_1',
          duration_ms: 7,
          tool_input: { command: 'a\nb', run_in_background: true },
          tool_response: { stdout: 'x'.repeat(80_000) },
        }),
        { shell },
      ),
    ).toEqual(silent)

  const [first, second] = world.events()
  expect(first).toEqual({
    kind: 'hook',
    file: first!.file,
    at: first!.at,
    name: 'PostToolUse',
    session: 'one',
    promptId: 'p1',
    agentId: 'a1',
    tool: 'Bash',
    toolUseId: 'toolu_1',
    durationMs: 7,
    command: 'a\nb',
    background: true,
    cwd: '/p',
    transcript: '/t.jsonl',
  })
  expect(first!.at).toBeGreaterThan(before)
  expect(second!.at).toBeGreaterThanOrEqual(first!.at)
  expect(second!.at).toBeLessThanOrEqual(BigInt(Date.now() + 1) * 1_000_000n)
})

test('[H6] only the user can read the spool, with any umask', async () => {
  await using s = await scene()
  const { spool } = hookWorld(s)
  await hook(s, eventText({}), { command: `umask 000; ${line}` })
  const [file] = await readdir(spool)
  expect((await stat(join(spool, file!))).mode & 0o777).toBe(0o600)
  expect((await stat(spool)).mode & 0o777).toBe(0o700)
})

test('[H1][H2][H5] a hook succeeds silently, whatever is wrong with the spool', async () => {
  await using s = await scene()
  const big = eventText({ tool_response: 'x'.repeat(300_000) })
  // Retake was never set up here.
  expect(await hook(s, big)).toEqual(silent)
  expect(await readdir(s.env['XDG_STATE_HOME']!)).toEqual([])

  const { spool } = hookWorld(s)
  const nowhere = { XDG_STATE_HOME: undefined, HOME: undefined }
  expect(await hook(s, big, { env: nowhere })).toEqual(silent)
  expect(await readdir(spool)).toEqual([])
  // The XDG specification says to ignore relative paths.
  expect(await hook(s, big, { env: { XDG_STATE_HOME: 'relative' } })).toEqual(silent)
  const kept = adapter.readSpool(durableDisk, spool, { now: new Date() }).events
  expect(kept).toHaveLength(1)
  adapter.dropSpooled(durableDisk, spool, kept)
  // A full file system truncates a write; so does a limit on file sizes.
  expect(await hook(s, big, { command: `ulimit -f 1; ${line}` })).toEqual(silent)
  const half = adapter.readSpool(durableDisk, spool, { now: new Date() })
  expect(half).toMatchObject({ events: [], garbage: [], unfinished: 1 })
  const later = new Date(Date.now() + 2 * 3_600_000)
  expect(adapter.readSpool(durableDisk, spool, { now: later })).toMatchObject({
    garbage: [{ why: 'no whole event' }],
    unfinished: 0,
  })

  await rm(spool, { recursive: true })
  await writeFile(spool, 'a file in its place')
  expect(await hook(s, big)).toEqual(silent)
  expect(await s.read(spool)).toBe('a file in its place')
})

test('[A1] a file in the spool that is no event is reported and skipped, and deleted only if it is Retake’s', async () => {
  await using s = await scene()
  const { spool } = hookWorld(s)
  await hook(s, eventText({}))
  await hook(s, eventText({ session_id: 'two' }), { env: { CLAUDE_CODE_SESSION_ID: 'two' } })
  await writeFile(join(spool, 'notes.txt'), 'mine')
  await writeFile(join(spool, 'one.1.event'), '[1, 2]')
  await s.run('mkfifo', [join(spool, 'one.2.event')])
  await writeFile(join(spool, 'one.3.event'), '')
  await truncate(join(spool, 'one.3.event'), 20 * 1024 * 1024)
  await chmod(join(spool, 'one.1.event'), 0o600)

  const now = new Date(Date.now() + 2 * 3_600_000)
  const all = adapter.readSpool(durableDisk, spool, { now })
  expect(all.events).toHaveLength(2)
  expect(all.garbage.map(({ file, why }) => `${file} ${why}`).toSorted()).toEqual([
    'one.1.event no whole event',
    'one.2.event a special',
    'one.3.event 20971520 bytes long',
  ])
  // Half an event is not garbage while a process may still be writing it.
  const early = adapter.readSpool(durableDisk, spool, { now: new Date() })
  expect(early).toMatchObject({ unfinished: 1 })
  expect(early.garbage.map(({ file }) => file)).not.toContain('one.1.event')
  const one = adapter.readSpool(durableDisk, spool, { now, sessions: new Set(['one']) })
  expect(one.events.map(({ session }) => session)).toEqual(['one'])

  adapter.dropSpooled(durableDisk, spool, [...one.events, ...all.garbage])
  adapter.dropSpooled(durableDisk, spool, one.events)
  expect((await readdir(spool)).filter((name) => !name.startsWith('two.'))).toEqual(['notes.txt'])
  expect(adapter.readSpool(durableDisk, spool, { now }).events).toHaveLength(1)
})

test('[H3] an event that reuses a name is a new one, and not dropped with the first', async () => {
  await using s = await scene()
  const world = hookWorld(s)
  const { spool } = world
  await hook(s, eventText({}))
  const [first] = world.events()
  await rm(join(spool, first!.file))
  await writeFile(join(spool, first!.file), eventText({ prompt_id: 'later' }))
  adapter.dropSpooled(durableDisk, spool, [first!])
  expect(world.events()).toMatchObject([{ promptId: 'later' }])
})

test('[H3] parallel hooks and a new reader lose and mix up no event', async () => {
  await using s = await scene()
  const { spool } = hookWorld(s)
  const count = 240
  // Sizes around the buffers of pipes, pages and shells, with newlines inside.
  const sizes = [0, 100, 4_095, 8_192, 65_536, 80_000, 200_000]
  const writers = Array.from({ length: 8 }, async (_, writer) => {
    for (let n = writer; n < count; n += 8)
      await hook(
        s,
        eventText({ prompt_id: `p${n}`, filler: 'a\n\n'.repeat(sizes[n % 7]! / 3) }).replaceAll(
          ',',
          ',\n',
        ),
        {
          shell: n % 3 === 0 ? 'bash' : 'dash',
        },
      )
  })
  const isWritten = Promise.all(writers).then(() => true)
  const taken: string[] = []
  for (let last = false; ;) {
    const { events, garbage } = adapter.readSpool(durableDisk, spool, { now: new Date() })
    expect(garbage).toEqual([])
    adapter.dropSpooled(durableDisk, spool, events)
    taken.push(...events.map((event) => (event.kind === 'hook' ? event.promptId! : 'shell')))
    // Once more after the last writer; then nothing may be left.
    if (last) break
    last = await Promise.race([isWritten, nextTick(false)])
  }
  expect(await readdir(spool)).toEqual([])
  expect(taken.toSorted()).toEqual(Array.from({ length: count }, (_, n) => `p${n}`).toSorted())
})

test('[A2] a shell command stamps its start and end, and otherwise runs unchanged', async () => {
  await using s = await scene()
  const world = hookWorld(s)
  const file = join(s.root, 'env.sh')
  await hook(s, eventText({ hook_event_name: 'SessionStart' }), {
    command: entry('SessionStart'),
    env: { CLAUDE_ENV_FILE: file },
  })
  const stamps = (await s.read(file)).trimEnd()
  // A second start of the same session (after a compaction) adds nothing.
  await hook(s, eventText({}), { command: entry('SessionStart'), env: { CLAUDE_ENV_FILE: file } })
  expect((await s.read(file)).trimEnd()).toBe(stamps)
  adapter.dropSpooled(durableDisk, world.spool, world.events())

  const commands: Record<string, 'both' | 'start'> = {
    'echo out; echo err >&2; exit 3': 'both',
    'echo first $?; false': 'both',
    'set -e; false; echo not here': 'both',
    'set -eu; echo $-; echo "${undefined_variable}"': 'both',
    'set -o noclobber; echo a > new; echo b > new; rm -f new': 'both',
    'set -o posix; echo posix': 'both',
    "trap 'echo mine $?' EXIT; exit 4": 'start',
    "trap 'echo usr1' USR1; kill -USR1 $$; echo after": 'both',
    'trap - EXIT; echo gone': 'start',
    'exec echo replaced': 'start',
    '(exit 5); echo $?; (sleep 0.01; echo late) & wait': 'both',
    'kill -TERM $$': 'both',
    'kill -KILL $$': 'start',
    'umask; echo "$IFS" | od -c; env | grep -c RETAKE': 'both',
    'export HOME=/nowhere XDG_STATE_HOME=/nowhere; cd /; echo moved': 'both',
    'f() { return 6; }; f': 'both',
    'compgen -v | grep -i retake; echo $# $0': 'both',
  }
  for (const [command, expected] of Object.entries(commands)) {
    const quoted = `'${command.replaceAll("'", `'\\''`)}'`
    // As Claude Code assembles it.
    const around = (before: string): string =>
      `source /dev/null 2>/dev/null || true && ${before}\n: && eval ${quoted} < /dev/null && pwd -P >| "$TMPDIR/cwd"`
    const env = { CLAUDE_CODE_SESSION_ID: 'one' }
    const plain = await s.run('bash', ['-c', around('true')], { env })
    const stamped = await s.run('bash', ['-c', around(stamps)], { env })
    expect(stamped, command).toEqual(plain)
    const events = world.events()
    const names = events.map((event) => event.kind === 'shell' && event.name)
    expect(names, command).toEqual(expected === 'both' ? ['start', 'end'] : ['start'])
    adapter.dropSpooled(durableDisk, world.spool, events)
  }

  // Without a spool there are no stamps and no output.
  await rm(world.spool, { recursive: true })
  expect(await s.run('bash', ['-c', `${stamps}\n echo ok; exit 7`])).toEqual({
    code: 7,
    stdout: 'ok\n',
    stderr: '',
  })
})

test('[A2] a spool with a path that cannot be quoted gets events but no stamps', async () => {
  await using s = await scene()
  const state = join(s.root, "it's $HOME")
  const spool = adapter.prepareSpool(durableDisk, join(state, 'retake'))
  const file = join(s.root, 'env.sh')
  const { code } = await hook(s, eventText({}), {
    command: entry('SessionStart'),
    env: { CLAUDE_ENV_FILE: file, XDG_STATE_HOME: state },
  })
  expect(code).toBe(0)
  expect(await readdir(spool)).toHaveLength(1)
  await expect(stat(file)).rejects.toThrow('ENOENT')
})

test('[H8] at a prompt the hook starts Retake only for a command or a pending move, and passes the event on', async () => {
  await using s = await scene()
  const world = hookWorld(s)
  const state = join(world.spool, '..')
  await writeFile(join(state, 'hook'), 'echo "$1 $(cat)"\n')
  const command = entry('UserPromptSubmit')
  const send = async (prompt: string, shell: string): Promise<string> => {
    const input = eventText({ hook_event_name: 'UserPromptSubmit', prompt })
    const { code, stdout, stderr } = await hook(s, input, { command, shell })
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(['', `UserPromptSubmit ${input}\n`]).toContain(stdout)
    return stdout === '' ? 'not asked' : 'asked'
  }
  for (const shell of ['dash', 'bash']) {
    for (const prompt of [
      '/retake:undo',
      '/retake:redo 2',
      ' /retake:log',
      'undo',
      '/undo 3',
      'redo ',
    ])
      expect(await send(prompt, shell), prompt).toBe('asked')
    for (const prompt of [
      'undo the last edit',
      'say "undo"',
      'retake',
      '{"prompt":"undo"}',
      'a\nundo',
      `${'x'.repeat(80_000)} undo`,
    ])
      expect(await send(prompt, shell), prompt.slice(0, 40)).toBe('not asked')
  }
  await mkdir(join(state, 'pending'))
  await writeFile(join(state, 'pending', 'two'), '')
  expect(await send('another session waits', 'dash')).toBe('not asked')
  await writeFile(join(state, 'pending', 'one'), '')
  expect(await send('anything', 'dash')).toBe('asked')
  // An error in Retake must not affect the turn.
  await writeFile(join(state, 'hook'), 'echo broken >&2; exit 2\n')
  expect(await hook(s, eventText({ prompt: 'undo' }), { command })).toEqual(silent)
  expect(world.events().every(({ kind }) => kind === 'hook')).toBe(true)
})

test('[H9] a hook waits for the process that settles a pending move, which survives the hook’s end', () =>
  settlesAfterTheHook((s) => s.env['PATH']!))

needs('perl')('[H9] so it does without `setsid`, as on macOS', () =>
  settlesAfterTheHook(async (s) => {
    const bin = join(s.tmp, 'bin')
    await mkdir(bin)
    const programs = ['sh', 'dash', 'cat', 'rm', 'mv', 'mkdir', 'rmdir', 'sleep', 'nice', 'perl']
    for (const name of programs) {
      const found = s.env['PATH']!.split(':').find((path) => existsSync(join(path, name)))
      await symlink(join(found!, name), join(bin, name))
    }
    return bin
  }),
)

async function settlesAfterTheHook(pathOf: (s: Scene) => string | Promise<string>): Promise<void> {
  await using s = await scene()
  const world = hookWorld(s)
  const state = join(world.spool, '..')
  const [begun, go, done] = ['begun', 'go', 'done'].map((name) => join(s.tmp, name))
  const waits = `: >${begun}; until [ -e ${go} ]; do sleep 0.02; done; cat >${done}\n`
  await writeFile(join(state, 'hook'), waits)
  const command = entry('SessionEnd')
  const input = eventText({ hook_event_name: 'SessionEnd' })
  expect(await hook(s, input, { command }), 'nothing is pending').toEqual(silent)
  await mkdir(join(state, 'pending'))
  await writeFile(join(state, 'pending', 'one'), '')
  const child = s.processes.start('dash', ['-c', command], {
    cwd: s.project,
    env: { ...s.env, PATH: await pathOf(s), CLAUDE_CODE_SESSION_ID: 'one' },
  })
  child.stdin!.end(input)
  // The event is in the spool a moment before the process starts.
  await expect.poll(() => existsSync(begun!)).toBe(true)
  expect(world.events()).toHaveLength(2)
  // The whole group, as when a terminal closes.
  process.kill(-child.pid!, 'SIGTERM')
  await once(child, 'exit')
  await writeFile(go!, '')
  await expect.poll(() => readFile(done!, 'utf8').catch(() => '')).toBe(input)
}
