import { expect, test } from 'vitest'
import { scene } from '../scene.ts'
import { seen } from './seen.ts'

test('[U2] what is meant is said: versions, words that are no verbs, arguments that are missing', async () => {
  await using s = await scene()
  expect(
    await seen(
      { s },
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
      undo [options] [id]  undo an operation of Retake: the last one, or the one
                           with this number
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

    undo the last turn, or the last N: files and conversation

    Arguments:
      n                       how many turns; default 1

    Options:
      --session <id>          a session's id; default: the one open here, else the
                              newest
      --project <dir>         the project; default: this directory or the nearest
                              above
      --json                  print one JSON object
      --dry-run               print the plan, write nothing
      -p, --patch             show the diff of each file with the plan
      -y, --yes               do not ask
      --only <part>           files or chat: only the files, or only the
                              conversation
      --on-conflict <choice>  what to do with files that you changed too: stop,
                              keep-mine, put-back or mark (default: "stop")
      --choose <path=choice>  the same for one file; can be given again
      --include-unsure        also undo changes that may not be the agent’s
      --agree <dir>           also undo the agent’s edits in this directory outside
                              of the project, from now on
      --expect-head <turn>    refuse if the session is at another turn
      --stop                  end the running turn first, under \`retake claude\`
      --whole                 also empty the conversation if its first turn is
                              undone
      --keep-prompt           undo only the answer; the prompt stays
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
      retake claude                  Claude Code, reopened by undo at the earlier turn
      retake doctor                  is everything as it should be?

    Usage: retake [options] [command]

    Undo, redo and branches for coding-agent sessions.

    Options:
      -V, --version                 output the version number
      -h, --help                    display help for command

    Commands:
      sessions [options]            list the sessions of the project; or rename,
                                    delete, archive
      log [options]                 the turns of a session: active, undone, other
                                    branches
      show [options] <turn>         one turn: prompt, steps, files, diff
      tree [options]                the branches as a tree
      status [options]              where the session stands
      search [options] <words...>   turns with these words, in all branches of all
                                    sessions
      undo [options] [n]            undo the last turn, or the last N: files and
                                    conversation
      redo [options] [n]            redo the next undone turn, or the next N
      back [options]                go back one turn in the conversation; files stay
                                    as they are
      rewind [options] [turn]       go back to the end of a turn; 0 is before the
                                    first
      revert [options] <turn>       undo one turn’s file changes, and keep the turns
                                    after it
      restore [options] <path...>   restore files to what they were after a turn
      switch [options] <branch>     switch to another branch: files and conversation
      branches [options]            list the branches of a session
      branch [options] <turn>       start a new session after a turn
      checkpoint [options] [name]   name a turn, so that you can use the name
                                    instead of its number
      checkpoints [options]         list the checkpoints
      stash [options]               the turns that were gone back past
      compare [options] <a> <b>     two turns, branches or sessions side by side
      diff [options] <range>        what differs between the files after A and after
                                    B
      where [options] <path>        every content of a file that Retake holds
      check [options]               look for damage in what Retake holds
      op                            Retake’s own history: log, show, undo
      chat [options] [prompt]       go on with a session in the terminal, with
                                    approvals
      claude [args...]              start Claude Code so that undo also reopens it
                                    at the earlier turn
      install [options]             let your agent tell Retake when a turn or a
                                    shell step runs
      uninstall [options]           take the hooks out of the settings again
      mcp [options]                 tools for the model, over standard input and
                                    output (MCP)
      gc [options]                  let go of what nothing needs and what is older
                                    than the retention
      forget [options] <branch>     erase Retake’s copies of a branch for good
      purge [options] <path>        erase every content of a file that Retake holds
      rescue [options] <id>         write a session back whose transcript the agent
                                    lost
      settings [options]            what you can decide: show, or \`set KEY VALUE\`
      project                       say where a project is: \`move OLD NEW\`
      demo [options]                a small project with a recorded session, in a
                                    scratch directory, to try things
      serve [options]               the server: web page, HTTP and WebSocket API, on
                                    this machine only
      tui [options]                 sessions, branches and turns on the whole
                                    screen, with the keyboard
      doctor [options]              look at everything Retake needs; each problem
                                    with its cure
      completion [options] <shell>  what completes commands, turns and branches in
                                    your shell
      help [command]                display help for command

    Exit codes: 0 done, 1 failed, 2 usage, 4 conflict (nothing changed), 5 busy or locked,
    6 not found, 130 interrupted.
    "
  `)
})
