import { spawnSync } from 'node:child_process'
import { chmod, cp, readdir, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { edit, read, write } from '../model/index.ts'
import { type Played, playedOnce } from '../operations/played.ts'
import { cli } from '../scene.ts'
import { seen, tame } from './seen.ts'
import { has } from '../house/has-need.ts'
import { needs } from '../needs.ts'

/** The output of the commands that Claude Code starts, and of doctor. */
const session = playedOnce({
  files: { 'a.txt': 'one\ntwo\nthree\n' },
  turns: {
    'Use sessions': [read('a.txt'), edit('a.txt', 'two', 'TWO'), 'Done.'],
    'Make c': [[write('c.txt', 'c\n')], 'Made.'],
  },
})

/** A command that reads standard input. */
async function answerTo(p: Played, line: string, input: string): Promise<string> {
  const { code, stdout, stderr } = await p.s.retake(...line.split(' '), { input })
  return tame(p, `${stdout}${stderr}${code === 0 ? '' : `(${code})\n`}`)
}

test('[A1][H1] commands that Claude Code starts: hook, observe and mcp', async () => {
  const p = await session()
  const prompt = (text: string): string =>
    JSON.stringify({ session_id: p.id, cwd: p.s.project, prompt: text })
  const hooked = async (text: string): Promise<string> => {
    const answer = await answerTo(p, 'hook UserPromptSubmit', prompt(text))
    return answer === '' ? '' : (JSON.parse(answer) as { reason: string }).reason
  }
  expect({
    'a prompt': await hooked('Add a test'),
    'not for Retake': await answerTo(p, 'hook UserPromptSubmit', 'no JSON'),
    'another event': await answerTo(p, 'hook Stop', prompt('')),
    'the end': await answerTo(p, 'hook SessionEnd', prompt('')),
    undo: await hooked('/retake:undo'),
    'undo x': await hooked('/retake:undo x'),
    redo: await hooked('/retake:redo'),
    'redo again': await hooked('/retake:redo'),
    'rewind 9': await hooked('/retake:rewind 9'),
  }).toMatchInlineSnapshot(`
    {
      "a prompt": "",
      "another event": "",
      "not for Retake": "",
      "redo": "Redid 1 turn: 1 file changed.
    Run \`retake op undo 2\` in a terminal to undo this.",
      "redo again": "Nothing to redo: no turn is undone.",
      "rewind 9": "There is no turn 9 in this session.
    Turns are numbered 1 to 2.",
      "the end": "",
      "undo": "Undid 1 turn: 1 file removed.
    The undone prompt: Make c
    Type /retake:redo to redo it.",
      "undo x": "Usage: /retake:undo [N]
    It can undo the last turn, or the last N: files and conversation.",
    }
  `)
  expect(await answerTo(p, 'hook UserPromptSubmit', prompt('/retake:log'))).toMatchInlineSnapshot(`
    "{
      "decision": "block",
      "reason": "Use sessions  2 turns - aaaaaaaa\\nOnly the edits that the agent recorded; what its commands did is not known.\\n\\n * 1    Use sessions                                        12:00  2 steps\\n        ~  a.txt  +1 -1\\n @ 2    Make c                              12:00  1 step  <- you are here\\n        +  c.txt  +1",
      "hookSpecificOutput": {
        "hookEventName": "UserPromptSubmit",
        "suppressOriginalPrompt": true
      }
    }
    "
  `)

  expect(await seen(p, 'hook', 'observe', `observe ${p.id} step`, 'observe --wat', 'mcp --help'))
    .toMatchInlineSnapshot(`
      "$ retake hook
      Missing required argument 'event'.
      Hint: Run \`retake --help\` for the list of commands.
      (2)

      $ retake observe

      $ retake observe bbbbbbbb-… step

      $ retake observe --wat
      Unknown option '--wat'.
      Hint: Run \`retake --help\` for the list of commands.
      (2)

      $ retake mcp --help
      Examples:
        claude mcp add retake -- retake mcp  give the model Retake’s tools
        codex mcp add retake -- retake mcp   give the model Retake’s tools

      Usage: retake mcp [options]

      tools for the model, over standard input and output (MCP)

      Options:
        --json      accepted for consistency; output is always JSON
        -h, --help  display help for command
      "
    `)
  const say = (id: number, method: string, params: object): string =>
    JSON.stringify({ jsonrpc: '2.0', id, method, params })
  const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } } // prettier-ignore
  const answers = await answerTo(
    p,
    'mcp',
    [
      say(1, 'initialize', client),
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      say(2, 'tools/list', {}),
      say(3, 'tools/call', { name: 'retake_nothing', arguments: {} }),
      say(4, 'nothing/at-all', {}),
      // An unknown argument is refused: `n` is not `count`, and would plan one turn.
      say(5, 'tools/call', { name: 'plan_undo', arguments: { n: 3 } }),
      say(6, 'tools/call', { name: 'status', arguments: { session: 'x' } }),
      '',
    ].join('\n'),
  )
  expect(answersOf(answers)).toMatchInlineSnapshot(`
    [
      {
        "name": "retake",
        "title": "Retake",
        "version": "0.1.0",
      },
      "list_turns show_turn status plan_undo plan_redo plan_rewind plan_revert apply_plan",
      "Tool retake_nothing not found",
      "Method not found",
      [
        {
          "text": "Input validation error: Invalid arguments for tool plan_undo: Unrecognized key: "n"",
          "type": "text",
        },
      ],
      [
        {
          "text": "Input validation error: Invalid arguments for tool status: Unrecognized key: "session"",
          "type": "text",
        },
      ],
    ]
  `)
})

interface Answer {
  readonly id: number
  readonly error?: { readonly message: string }
  readonly result?: {
    readonly serverInfo?: object
    readonly tools?: readonly { readonly name: string }[]
    readonly content?: readonly { readonly text: string }[]
  }
}

/** Its name, its tools, and its answers to unknown requests. */
function answersOf(lines: string): unknown[] {
  return lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Answer)
    .toSorted((a, b) => a.id - b.id)
    .map(
      ({ error, result }) =>
        error?.message ??
        result?.serverInfo ??
        result?.tools?.map(({ name }) => name).join(' ') ??
        result?.content,
    )
}

needs('readable-clone')(
  '[R9][FT4] doctor explains each problem and its fix: SDK, quota, disk, spool, store',
  async () => {
    const p = await session()
    const { s } = p
    const data = join(s.env['XDG_DATA_HOME']!, 'retake')
    const agents = dirname(p.agent.binary)
    // What differs between machines is tested here, not in the expected output.
    const plain = (text: string): string =>
      tame(p, text)
        .replaceAll(/Node \d+\.\d+\.\d+, \w+/g, 'Node NODE')
        .replaceAll(/Claude Code [\d.]+, tested/g, 'Claude Code VERSION, tested')
        .replaceAll(/\b\d+ % of/g, 'N % of')
    const env = { ...s.env, PATH: `${agents}:/usr/bin:/bin`, TERM: 'xterm', COLUMNS: '80' }
    const doctor = async (program: string, more: Record<string, string> = {}) => {
      const { code, stdout, stderr } = await s.run(process.execPath, [program, 'doctor'], {
        env: { ...env, ...more },
      })
      return plain(`${stdout}${stderr}(${code})`)
    }
    await p.run('undo')
    expect(await doctor(cli)).toMatchInlineSnapshot(`
      "ok  node         Retake 0.1.0 on Node NODE.
      ok  permissions  Data is private to your user.
      ok  agent        Claude Code VERSION, tested.
      ok  sdk          The Claude Agent SDK is installed: Retake can run the agent.
      --  hooks        Hooks are not installed, so Retake cannot see what shell commands do to files.
                       Run \`retake install\`.
      ok  settings     Settings are valid.
      ok  store        The store of this project is intact.
      ok  transcripts  No transcript was lost or cut.
      ok  disk         Storage: N % of the quota is used.
      ok  server       The server is not running. \`retake\` starts it.

      Overrides:
          config   /ROOT/home/.config/retake  (XDG_CONFIG_HOME)
          data     /ROOT/home/.local/share/retake  (XDG_DATA_HOME)
          cache    /ROOT/home/.cache/retake  (XDG_CACHE_HOME)
          state    /ROOT/home/.local/state/retake  (XDG_STATE_HOME)
          runtime  /ROOT/run/retake  (XDG_RUNTIME_DIR)

      No problems found.
      (0)"
    `)

    // Installed without the SDK, over the quota, and hook events that were never read.
    const alone = join(s.tmp, 'retake')
    await cp(dirname(dirname(cli)), alone, { recursive: true })
    await s.retake('install')
    await writeFile(join(s.env['XDG_STATE_HOME']!, 'retake/spool/full'), '')
    const large = join(data, 'large')
    await writeFile(large, '')
    await truncate(large, 6 * 1024 ** 3)
    expect(await doctor(join(alone, 'bin/retake.js'))).toMatchInlineSnapshot(`
      "ok  node         Retake 0.1.0 on Node NODE.
      ok  permissions  Data is private to your user.
      ok  agent        Claude Code VERSION, tested.
      --  sdk          The Claude Agent SDK is not installed, so Retake cannot run the agent.
                       Run \`npm install @anthropic-ai/claude-agent-sdk\` beside Retake.
      !!  hooks        The hooks’ queue is full, so new events are lost.
                       Run \`retake install\`.
      ok  settings     Settings are valid.
      ok  store        The store of this project is intact.
      ok  transcripts  No transcript was lost or cut.
      !!  disk         Storage: N % of the quota is used.
                       Run \`retake gc\` to delete old data, or run \`retake settings set quota SIZE\` to allow more.
      ok  server       The server is not running. \`retake\` starts it.

      Overrides:
          config   /ROOT/home/.config/retake  (XDG_CONFIG_HOME)
          data     /ROOT/home/.local/share/retake  (XDG_DATA_HOME)
          cache    /ROOT/home/.cache/retake  (XDG_CACHE_HOME)
          state    /ROOT/home/.local/state/retake  (XDG_STATE_HOME)
          runtime  /ROOT/run/retake  (XDG_RUNTIME_DIR)

      2 problems.
      (1)"
    `)
    expect(
      await s.run(process.execPath, [join(alone, 'bin/retake.js'), 'chat', 'hello'], { env }),
    ).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('`npm install @anthropic-ai/claude-agent-sdk`'),
    })

    // Apply each fix as doctor says it; and a directory without any space.
    await rm(large)
    await s.retake('install')
    const cured = await doctor(cli)
    expect(cured).toContain('No problems found.')
    // Other systems have no file system that is always full.
    if (has('linux'))
      expect(await doctor(cli, { XDG_DATA_HOME: '/proc/self/none' })).toContain(
        '!!  disk         The disk is nearly full.\n                 Free some space.',
      )

    // A store that is not readable. Root can read everything, so run as `nobody`.
    const [key] = await readdir(join(data, 'projects'))
    const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
    if (nobody.uid !== undefined) await s.run('chown', ['-R', '65534:65534', s.root])
    await chmod(join(data, 'projects', key!, 'store.db'), 0)
    const { stdout, status } = spawnSync(process.execPath, [cli, 'doctor'], {
      ...nobody,
      cwd: s.project,
      env,
      encoding: 'utf8',
    })
    expect(status).toBe(1)
    expect(plain(stdout).replaceAll(/[0-9a-f]{32}/g, 'KEY')).toContain(
      `!!  store        Retake's store /ROOT/home/.local/share/retake/projects/KEY/store.db cannot be written.
                 Check the mode and the owner of its directory.`,
    )
  },
)
