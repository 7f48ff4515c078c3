import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { bash, edit, read, write } from '../model/index.ts'
import { type Played, playedOnce } from '../operations/played.ts'
import { cli } from '../scene.ts'
import { seen, tame } from './seen.ts'

/** What people see of the verbs that set up, keep, erase and serve. */
const session = playedOnce({
  files: { 'a.txt': 'one\ntwo\nthree\n' },
  turns: {
    'Use sessions': [read('a.txt'), edit('a.txt', 'two', 'TWO'), 'Done.'],
    'Make c': [[write('c.txt', 'c\n')], 'Made.'],
  },
})

/** A verb that goes on until it is told to end, with all that it said. */
async function seenUntil(p: Played, line: string, until: RegExp): Promise<string> {
  const child = p.s.processes.start(process.execPath, [cli, ...line.split(' ')], {
    cwd: p.s.project,
    env: { ...p.s.env, TERM: 'xterm', COLUMNS: '80' },
  })
  let [out, talk] = ['', '']
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  child.stdout!.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (talk += text))
  await expect.poll(() => out + talk).toMatch(until)
  child.kill('SIGTERM')
  const code = await ended
  return tame(p, `$ retake ${line}\n${out}${talk}${code === 0 ? '' : `(${code})\n`}`)
}

test('[A1][H1] setting up: install, settings, completion, and taking it out again', async () => {
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
    Hint: \`retake uninstall\` takes the hooks out again.

    $ retake install
    The hooks were added in /ROOT/home/.claude/settings.json (a new file): SessionStart, UserPromptSubmit, PreToolUse, PostToolUse, PostToolUseFailure, SubagentStop, SessionEnd.
    Events are kept in /ROOT/home/.local/state/retake/spool until Retake reads them.
    Hint: \`retake uninstall\` takes the hooks out again.

    $ retake install
    The hooks are in /ROOT/home/.claude/settings.json already.
    Events are kept in /ROOT/home/.local/state/retake/spool until Retake reads them.
    Hint: \`retake uninstall\` takes the hooks out again.

    $ retake install --scope everywhere
    \`--scope\` takes \`user\` or \`project\`.
    (2)

    $ retake settings set retention 30
    quota            5 GB           everything that Retake keeps
    retention        30 days        how long an operation can be undone
    include          none           ignored files that are looked at all the same
    branchLimit      20             branches of a session that Retake makes at most
    branchWarning    15             from so many on it warns
    autoArchiveDays  never          untouched branches are archived after that time
    plainUndo        off            a prompt that is only "undo" is a command to Retake
    confirm          on             ask before files change, at a terminal
    maxFileSize      SIZE          larger files are not looked into
    voice            off            speech in the page
    voiceUrl         https://generativelanguage.googleapis.com where speech goes
    voiceModel       gemini-3.1-flash-live-preview what listens and speaks there
    voiceKey         none           the key for it; never shown
    /ROOT/home/.config/retake/settings.json

    $ retake settings set quota much
    \`quota\` must be a number of bytes, at least SIZE.
    (2)

    $ retake settings set colour red
    There is no setting colour.
    Hint: There are: quota, retention, include, branchLimit, branchWarning, autoArchiveDays, plainUndo, confirm, maxFileSize, voice, voiceUrl, voiceModel.
    (2)

    $ retake completion tcsh
    \`completion\` takes \`bash\`, \`zsh\` or \`fish\`.
    (2)

    $ retake uninstall
    Removing the hooks needs \`--yes\` when nobody can be asked.
    Hint: Look first with \`retake uninstall --dry-run\`.
    (2)

    $ retake uninstall --dry-run
    The hooks would be taken out of /ROOT/home/.claude/settings.json, and the file that was made for them.
    Stays: its cache, in /ROOT/home/.cache/retake

    $ retake uninstall --yes
    The hooks were taken out of /ROOT/home/.claude/settings.json, and the file that was made for them.
    Stays: its cache, in /ROOT/home/.cache/retake
    "
  `)
})

test('[R9] keeping and erasing: check, gc, purge, forget, rescue', async () => {
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
    The store is whole: 0 contents checked.

    $ retake gc --dry-run
    Everything that is kept is needed; nothing can go.

    $ retake undo
    Undone 1 turn: 1 file removed.
    The undone prompt: Make c
    \`retake redo\` brings it back.

    $ retake check --read-data
    The store is whole: 3 contents checked.

    $ retake purge c.txt
    \`purge\` needs \`--yes\` when nobody can be asked.
    Hint: Look first with \`retake purge --dry-run\`.
    (2)

    $ retake purge c.txt --dry-run
    Would erase every content of c.txt that Retake holds: 1 content (2 bytes); operation 1 can no longer be undone.
    The file itself stays, and so does what transcripts say of it; when it changes, it is seen again.

    $ retake purge c.txt --yes
    Erased every content of c.txt that Retake holds: 1 content (2 bytes); operation 1 can no longer be undone.
    The file itself stays, and so does what transcripts say of it; when it changes, it is seen again.

    $ retake purge none.txt --yes
    Retake holds no content of none.txt. Nothing was erased.

    $ retake forget nowhere --yes
    There is no branch nowhere in this session.
    Hint: Run \`retake branches\` to see which there are.
    (6)

    $ retake rescue ffff
    Retake has kept no session ffff.
    Hint: Only sessions that Retake has read can be written back.
    (6)
    "
  `)
  await rm((await p.agent.transcript(p.id)).path)
  expect(await seen(p, 'sessions', `rescue ${p.id} --dry-run`, `rescue ${p.id}`))
    .toMatchInlineSnapshot(`
    "$ retake sessions
    The transcript of aaaaaaaa “Use sessions” is gone. Retake has SIZE of it: \`retake rescue aaaaaaaa\`
    There are no sessions for /ROOT/project.
    Run \`retake sessions --all\` to see those of other projects.

    $ retake rescue dddddddd-… --dry-run
    Would write SIZE of “Use sessions” as the new session eeeeeeee-…

    $ retake rescue dddddddd-…
    Wrote SIZE of “Use sessions” as the new session ffffffff-…
    Hint: \`claude --resume ffffffff-…\` goes on with it.
    "
  `)
})

test('[U2] what is meant is said: versions, words that are no verbs, arguments that are missing', async () => {
  const p = await session()
  expect(
    await seen(
      p,
      '--version',
      'undoo',
      'undo --wat',
      'show',
      'restore a.txt',
      'op',
      'serve --port much',
      'chat --permission-mode sometimes hello',
      'tui',
      'undo --help',
      '--help',
    ),
  ).toMatchInlineSnapshot(`
    "$ retake --version
    0.1.0

    $ retake undoo
    Unknown command 'undoo'.
    (Did you mean undo?)
    Hint: \`--help\` says what there is.
    (2)

    $ retake undo --wat
    Unknown option '--wat'.
    Hint: \`--help\` says what there is.
    (2)

    $ retake show
    Missing required argument 'turn'.
    Hint: \`--help\` says what there is.
    (2)

    $ retake restore a.txt
    Required option '--at <turn>' not specified.
    Hint: \`--help\` says what there is.
    (2)

    $ retake op
    Examples:
      retake op log   what Retake did
      retake op undo  take the newest of it back

    Usage: retake op [options] [command]

    Retake’s own history: log, show, undo

    Options:
      -h, --help           display help for command

    Commands:
      log [options]        what Retake did in this project, newest first
      show [options] <id>  one operation, file by file
      undo [options] [id]  undo the newest operation, or the named one
      help [command]       display help for command
    (2)

    $ retake serve --port much
    much is not a port.
    Hint: A port is a number up to 65535.
    (2)

    $ retake chat --permission-mode sometimes hello
    \`--permission-mode\` takes one of default, acceptEdits, plan, dontAsk, auto, bypassPermissions.
    (2)

    $ retake tui
    \`tui\` needs a terminal.
    Hint: Without one, \`retake log --json\` and the other verbs say the same.
    (2)

    $ retake undo --help
    Examples:
      retake undo                          the last turn, files and conversation
      retake undo 3 --dry-run              what undoing three would do
      retake undo --only files             the conversation stays
      retake undo --on-conflict keep-mine  files in conflict stay as they are

    Usage: retake undo [options] [n]

    take the last turn back, files and conversation; or the last N

    Arguments:
      n                       how many turns

    Options:
      --session <id>          a session's id; default: the one open here, else the
                              newest
      --project <dir>         the project; default: this directory or the nearest
                              above
      --json                  print one JSON object
      --dry-run               print the plan, write nothing
      -p, --patch             show the diff of each file with the plan
      -y, --yes               do not ask
      --only <part>           files or chat
      --on-conflict <choice>  stop, keep-mine, put-back or mark (default: "stop")
      --choose <path=choice>  the same for one file; can be given again
      --include-unsure        also move what may not be the turn’s
      --expect-head <turn>    refuse when the session stands elsewhere
      --whole                 also empty the conversation when its first turn goes
      --keep-prompt           only the answer goes; the prompt stays in the
                              conversation
      -h, --help              display help for command

    $ retake --help
    Examples:
      retake                         start or find the server, and open its page
      retake tui                     the same in the terminal, by keyboard
      retake undo                    the last turn back, files and conversation
      retake undo 3 --dry-run        what undoing three turns would do
      retake redo                    and forward again
      retake log                     the turns of this project's newest session
      retake show 3                  what turn 3 said and did, with its diffs
      retake tree                    the branches, and where you are
      retake switch main             to another branch, files and conversation
      retake doctor                  is everything as it should be?

    Usage: retake [options] [command]

    Undo, redo and branches for coding-agent sessions.

    Options:
      -V, --version                output the version number
      -h, --help                   display help for command

    Commands:
      sessions [options]           all sessions of the project, or of all; or care
                                   of them
      log [options]                the turns of a session: active, undone, other
                                   branches
      show [options] <turn>        one turn: prompt, steps, files, diff
      tree [options]               the branches as a tree
      status [options]             where the session stands
      search [options] <words...>  turns with these words, in all branches of all
                                   sessions
      undo [options] [n]           take the last turn back, files and conversation;
                                   or the last N
      redo [options] [n]           bring the next undone turn again; or the next N
      back [options]               the conversation alone, one turn back
      rewind [options] [turn]      keep everything up to and including a turn; 0 is
                                   before the first
      revert [options] <turn>      take the files of one turn out, and keep the
                                   later ones
      restore [options] <path...>  single files, as they were after a turn
      switch [options] <branch>    move to another branch; the files follow
      branches [options]           the branches of a session
      branch [options] <turn>      a new session that starts after a turn; or care
                                   of branches
      checkpoint [options] [name]  give a turn a name that can stand wherever a turn
                                   can
      checkpoints [options]        the turns that have names
      stash [options]              the turns that were gone back past
      compare [options] <a> <b>    two turns, branches or sessions side by side
      diff [options] <range>       what differs between the files after A and after
                                   B
      where [options] <path>       every content of a file that Retake holds
      check [options]              look for damage in what Retake holds
      op                           Retake’s own history: log, show, undo
      chat [options] [prompt]      go on with a session in the terminal, with
                                   approvals
      install [options]            let Claude Code tell Retake when a turn or a
                                   shell step runs
      uninstall [options]          take the hooks out of the settings again
      mcp                          tools for the model, over standard input and
                                   output (MCP)
      gc [options]                 let go of what nothing needs and what is older
                                   than the retention
      forget [options] <branch>    erase Retake’s copies of a branch for good
      purge [options] <path>       erase every content of a file that Retake holds
      rescue [options] <id>        write a session back whose transcript the agent
                                   lost
      settings [options]           what you can decide: show, or \`set KEY VALUE\`
      demo [options]               a small project with a recorded session, in a
                                   scratch directory, to try things
      serve [options]              the server: web page, HTTP and WebSocket API, on
                                   this machine only
      tui [options]                sessions, branches and turns on the whole screen,
                                   with the keyboard
      doctor [options]             look at everything Retake needs; each problem
                                   with its cure
      completion <shell>           what completes commands, turns and branches in
                                   your shell
      help [command]               display help for command

    Exit codes: 0 done, 1 failed, 2 usage, 4 conflict (nothing changed), 5 busy or locked,
    6 not found, 130 interrupted.
    "
  `)
})

test('[U4] serve and demo say where they are, and end; chat answers and ends', async () => {
  const p = await session()
  p.model.on('Say it', [[bash('echo hi')], 'Said it.'])
  expect(await seenUntil(p, 'serve', /Ctrl-C ends the server/)).toMatchInlineSnapshot(`
    "$ retake serve
    http://127.0.0.1:PORT/#code=CODE
    The link works once, within a minute; \`retake\` prints another.
    Ctrl-C ends the server.
    "
  `)
  expect(await seenUntil(p, 'demo', /Ctrl-C ends the server/)).toMatchInlineSnapshot(`
    "$ retake demo
    http://127.0.0.1:PORT/#code=CODE
    The project is /ROOT/tmp/retake-demo-aaaaaaaa/shop: look at its files while you undo and redo.
    Everything of the demo is in /ROOT/tmp/retake-demo-aaaaaaaa; delete it when you are done.
    The link works once, within a minute; \`retake\` prints another.
    Ctrl-C ends the server.
    "
  `)
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
