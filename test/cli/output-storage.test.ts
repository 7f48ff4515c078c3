import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { bash, edit, read, write } from '../model/index.ts'
import { type Played, playedOnce } from '../operations/played.ts'
import { cli } from '../scene.ts'
import { seen, tame } from './seen.ts'

/** The output of the commands that set up, maintain, erase and serve. */
const session = playedOnce({
  files: { 'a.txt': 'one\ntwo\nthree\n' },
  turns: {
    'Use sessions': [read('a.txt'), edit('a.txt', 'two', 'TWO'), 'Done.'],
    'Make c': [[write('c.txt', 'c\n')], 'Made.'],
  },
})

/** A command that runs until it is stopped, with its output. */
async function seenUntil(
  p: Played,
  line: string,
  until: RegExp,
  signal: NodeJS.Signals = 'SIGTERM',
): Promise<string> {
  const child = p.s.processes.start(process.execPath, [cli, ...line.split(' ')], {
    cwd: p.s.project,
    env: { ...p.s.env, TERM: 'xterm', COLUMNS: '80' },
  })
  let [out, talk] = ['', '']
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (talk += text))
  await expect.poll(() => out + talk).toMatch(until)
  child.kill(signal)
  // Its output closes when the last process that holds it ends.
  const code = (await ended) ?? 0
  return tame(p, `$ retake ${line}\n${out}${talk}${code === 0 ? '' : `(${code})\n`}`)
}

test('[A1][H1] setup: install, settings, completion, uninstall', async () => {
  const p = await session()
  expect(
    await seen(
      p,
      'install --dry-run',
      'install',
      'install',
      'install --scope everywhere',
      'settings set retention 30',
      'settings set quota much',
      'settings set colour red',
      'completion tcsh',
      'uninstall',
      'uninstall --dry-run',
      'uninstall --yes',
    ),
  ).toMatchInlineSnapshot(`
    "$ retake install --dry-run
    The hooks would be added in /ROOT/home/.claude/settings.json (a new file): SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PostToolUseFailure, SubagentStop, SessionEnd.
    Events are kept in /ROOT/home/.local/state/retake/spool until Retake reads them.
    Hint: Run \`retake uninstall\` to remove the hooks.

    $ retake install
    The hooks were added in /ROOT/home/.claude/settings.json (a new file): SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PostToolUseFailure, SubagentStop, SessionEnd.
    Events are kept in /ROOT/home/.local/state/retake/spool until Retake reads them.
    Hint: Run \`retake uninstall\` to remove the hooks.

    $ retake install
    The hooks are already in /ROOT/home/.claude/settings.json.
    Events are kept in /ROOT/home/.local/state/retake/spool until Retake reads them.
    Hint: Run \`retake uninstall\` to remove the hooks.

    $ retake install --scope everywhere
    \`--scope\` takes \`user\` or \`project\`.
    (2)

    $ retake settings set retention 30
    quota                5 GB           storage limit for all projects
    retention            30 days        how long an operation can be undone
    include              none           git-ignored files to record anyway
    branchLimit          20             maximum number of branches per session
    branchWarning        15             warn at this many branches per session
    autoArchiveDays      never          archive unused branches after this time
    plainUndo            off            treat a prompt that is only "undo" as a command
    confirm              on             ask before changing files, at a terminal
    directories          none           directories outside projects whose changes are undone too
    declinedDirectories  none           directories outside projects to never ask about
    maxFileSize          SIZE          do not record larger files
    voice                off            speech on the page
    voiceUrl             https://generativelanguage.googleapis.com
                                        address of the speech service
    voiceModel           gemini-3.1-flash-live-preview
                                        model of the speech service
    voiceKey             none           key for the speech service; never shown
    /ROOT/home/.config/retake/settings.json

    $ retake settings set quota much
    \`quota\` must be a number of bytes, at least SIZE.
    (2)

    $ retake settings set colour red
    There is no setting colour.
    Hint: Settings: quota, retention, include, branchLimit, branchWarning, autoArchiveDays, plainUndo, confirm, directories, declinedDirectories, maxFileSize, voice, voiceUrl, voiceModel.
    (2)

    $ retake completion tcsh
    \`completion\` takes \`bash\`, \`zsh\` or \`fish\`.
    (2)

    $ retake uninstall
    Removing the hooks needs \`--yes\` when there is no terminal to ask.
    Hint: Run \`retake uninstall --dry-run\` first to see what it would do.
    (2)

    $ retake uninstall --dry-run
    The hooks would be removed from /ROOT/home/.claude/settings.json, and the file created for them.
    Not removed: the cache, in /ROOT/home/.cache/retake
    Not removed: your settings of Retake, in /ROOT/home/.config/retake

    $ retake uninstall --yes
    The hooks were removed from /ROOT/home/.claude/settings.json, and the file created for them.
    Not removed: the cache, in /ROOT/home/.cache/retake
    Not removed: your settings of Retake, in /ROOT/home/.config/retake
    "
  `)
})

test('[R9] storage: check, gc, purge, forget, rescue', async () => {
  const p = await session()
  expect(
    await seen(
      p,
      'check',
      'gc --dry-run',
      'undo',
      'check --read-data',
      'purge c.txt',
      'purge c.txt --dry-run',
      'purge c.txt --yes',
      'purge none.txt --yes',
      'forget nowhere --yes',
      'rescue ffff',
    ),
  ).toMatchInlineSnapshot(`
    "$ retake check
    The store is intact: 0 contents checked.

    $ retake gc --dry-run
    Nothing to delete: everything is still needed.

    $ retake undo
    Undid 1 turn: 1 file removed.
    The undone prompt: Make c
    Run \`retake redo\` to redo it.

    $ retake check --read-data
    The store is intact: 3 contents checked.

    $ retake purge c.txt
    \`purge\` needs \`--yes\` when there is no terminal to ask.
    Hint: Run \`retake purge --dry-run\` first to see what it would do.
    (2)

    $ retake purge c.txt --dry-run
    Would delete all versions of c.txt that Retake keeps: 1 content (2 bytes); operation 1 can no longer be undone.
    The file itself and the transcripts stay. Retake records the file again when it changes.

    $ retake purge c.txt --yes
    Deleted all versions of c.txt that Retake keeps: 1 content (2 bytes); operation 1 can no longer be undone.
    The file itself and the transcripts stay. Retake records the file again when it changes.

    $ retake purge none.txt --yes
    Retake has no version of none.txt. Nothing was deleted.

    $ retake forget nowhere --yes
    There is no branch nowhere in this session.
    Hint: Run \`retake branches\` to list the branches.
    (6)

    $ retake rescue ffff
    Retake has no copy of session ffff.
    Hint: Retake can only rescue sessions that it has read.
    (6)
    "
  `)
  await rm((await p.agent.transcript(p.id)).path)
  expect(await seen(p, 'sessions', `rescue ${p.id} --dry-run`, `rescue ${p.id}`))
    .toMatchInlineSnapshot(`
      "$ retake sessions
      The transcript of aaaaaaaa “Use sessions” was deleted. Retake has SIZE of it. Run \`retake rescue aaaaaaaa\` to get it back.
      There are no sessions for /ROOT/project.
      Run \`retake sessions --all\` to list the sessions of other projects.

      $ retake rescue dddddddd-… --dry-run
      Would write SIZE of “Use sessions” as the new session eeeeeeee-…

      $ retake rescue dddddddd-…
      Wrote SIZE of “Use sessions” as the new session ffffffff-…
      Hint: \`claude --resume ffffffff-…\` continues it.
      "
    `)
})

test('[U4] serve and demo print their address and end; a killed demo leaves no server; chat answers and ends', async () => {
  const p = await session()
  p.model.on('Say it', [[bash('echo hi')], 'Said it.'])
  expect(await seenUntil(p, 'serve', /Ctrl-C to end the server/)).toMatchInlineSnapshot(`
    "$ retake serve
    http://127.0.0.1:PORT/#code=CODE
    The link works once, within a minute. Run \`retake\` for another.
    Press Ctrl-C to end the server.
    "
  `)
  expect(await seenUntil(p, 'demo', /Ctrl-C to end the server/, 'SIGKILL')).toMatchInlineSnapshot(`
    "$ retake demo
    http://127.0.0.1:PORT/#code=CODE
    The project is in /ROOT/tmp/retake-demo-aaaaaaaa/shop. Watch its files while you undo and redo.
    The demo is in /ROOT/tmp/retake-demo-aaaaaaaa. Delete it when you are done.
    The link works once, within a minute. Run \`retake\` for another.
    Press Ctrl-C to end the server.
    "
  `)
  // A shell that finds `retake` only as the demo installed it.
  const shell = { input: 'retake undo --yes\nretake log -n 1\n', env: { SHELL: '/bin/sh' } }
  const inDemo = await p.s.retake('demo', '--shell', shell)
  expect(inDemo).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Undid 1 turn[^]*Add a login form  6 turns/) }) // prettier-ignore
  const { code, stdout, stderr } = await p.s.retake('chat', 'Say it', {
    env: { ...p.agent.env, TERM: 'xterm', COLUMNS: '80' },
    input: '',
  })
  expect(tame(p, `${stdout}${stderr}(${code})`)).toMatchInlineSnapshot(`
    "● Bash echo hi
    Said it.
    (0)"
  `)
})
