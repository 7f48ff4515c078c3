import { expect, test } from 'vitest'
import { scene } from '../scene.ts'
import { seen } from './seen.ts'

test('[U2] clear messages for versions, unknown commands and missing arguments', async () => {
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
    Hint: Run \`retake --help\` for the list of commands.
    (2)

    $ retake undo --wat
    Unknown option '--wat'.
    Hint: Run \`retake --help\` for the list of commands.
    (2)

    $ retake show
    Missing required argument 'turn'.
    Hint: Run \`retake --help\` for the list of commands.
    (2)

    $ retake restore a.txt
    Required option '--at <turn>' not specified.
    Hint: Run \`retake --help\` for the list of commands.
    (2)

    $ retake op
    Examples:
      retake op log   list the operations
      retake op undo  undo the newest operation

    Usage: retake op [options] [command]

    Retake’s operations: log, show, undo

    Options:
      -h, --help           display help for command

    Commands:
      log [options]        list the operations in this project, newest first
      show [options] <id>  show one operation, file by file
      undo [options] [id]  undo the newest operation of Retake, or the one with this
                           number
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
    Hint: Without one, use \`retake log\` and the other commands.
    (2)

    $ retake undo --help
    Examples:
      retake undo                          undo the last turn, files and conversation
      retake undo 3 --dry-run              show what undoing three turns would do
      retake undo --only files             undo only the file changes; the conversation stays
      retake undo --on-conflict keep-mine  leave files in conflict as they are

    Usage: retake undo [options] [n]

    undo the last turn, or the last N: files and conversation

    Arguments:
      n                       how many turns; default 1

    Options:
      --session <id>          session id; default: the one open here, else the
                              newest
      --project <dir>         the project; default: this directory or the nearest
                              above
      --json                  print one JSON object
      --dry-run               show the plan; write nothing
      -p, --patch             show the diff of each file with the plan
      -y, --yes               do not ask
      --only <part>           files or chat: only the files, or only the
                              conversation
      --on-conflict <choice>  what to do with files that you changed too: stop,
                              keep-mine, put-back or mark (default: "stop")
      --choose <path=choice>  what to do with one file in conflict; repeatable
      --include-unsure        also undo changes that may not be the agent’s
      --agree <dir>           from now on, also undo the agent’s edits in this
                              directory outside the project
      --expect-head <turn>    refuse if the session is at another turn
      --stop                  end the running turn first, under \`retake claude\`
      --whole                 also empty the conversation if its first turn is
                              undone
      --keep-prompt           undo only the answer; the prompt stays
      -h, --help              display help for command

    $ retake --help
    Examples:
      retake                         start the server and open its page
      retake tui                     the same in the terminal
      retake undo                    undo the last turn, files and conversation
      retake undo 3 --dry-run        show what undoing three turns would do
      retake redo                    redo it
      retake log                     list the turns of the newest session here
      retake show 3                  show turn 3 with its diffs
      retake tree                    show the branches, and where you are
      retake switch main             switch branch, files and conversation
      retake claude                  Claude Code, reopened by undo at the earlier turn
      retake doctor                  check the installation

    Usage: retake [options] [command]

    Undo, redo and branches for coding-agent sessions.

    Options:
      -V, --version                 output the version number
      -h, --help                    display help for command

    Commands:
      sessions [options]            list the sessions of the project; or rename,
                                    delete, archive
      log [options]                 show the turns of a session: active, undone, on
                                    other branches
      show [options] <turn>         show one turn: prompt, steps, files, diff
      tree [options]                show the branches as a tree
      status [options]              show the state of the session
      search [options] <words...>   search the turns of all sessions and branches
      undo [options] [n]            undo the last turn, or the last N: files and
                                    conversation
      redo [options] [n]            redo the next undone turn, or the next N
      back [options]                go back one turn in the conversation; files stay
                                    as they are
      rewind [options] [turn]       go to the end of a turn, back or forward; 0 is
                                    before the first
      revert [options] <turn>       revert one turn’s file changes; later turns stay
      restore [options] <path...>   restore files to what they were after a turn
      switch [options] <branch>     switch to another branch: files and conversation
      branches [options]            list the branches of a session
      branch [options] <turn>       start a new session after a turn
      checkpoint [options] [name]   name a turn, so that you can use the name
                                    instead of its number
      checkpoints [options]         list the checkpoints
      stash [options]               list the turns that undo and switch left behind
      compare [options] <a> <b>     compare two turns, branches or sessions
      diff [options] <range>        show how files differ between two turns or
                                    branches
      where [options] <path>        list all versions of a file that Retake keeps
      check [options]               check Retake’s data for damage
      op                            Retake’s operations: log, show, undo
      chat [options] [prompt]       continue a session in the terminal, with
                                    approvals
      claude [args...]              start Claude Code so that undo also reopens it
                                    at the earlier turn
      install [options]             install hooks, so that Retake sees what shell
                                    commands do to files
      uninstall [options]           remove the hooks from the settings
      mcp [options]                 tools for the model, over standard input and
                                    output (MCP)
      gc [options]                  delete unreferenced contents and operations past
                                    the retention period
      forget [options] <branch>     delete Retake’s copies of a branch for good
      purge [options] <path>        delete all versions of a file that Retake keeps
      rescue [options] <id>         restore a session whose transcript was deleted
                                    or cut
      settings [options]            show the settings; \`set KEY VALUE\` changes one
      project                       tell Retake that a project moved: \`move OLD NEW\`
      demo [options]                try Retake on a small project with a recorded
                                    session
      serve [options]               run the server: web page, HTTP and WebSocket
                                    API, on this machine only
      tui [options]                 full-screen terminal interface
      doctor [options]              check the installation and explain how to fix
                                    each problem
      completion [options] <shell>  print a script that completes commands, turns
                                    and branches in your shell
      help [command]                display help for command

    Exit codes: 0 done, 1 failed, 2 usage, 4 conflict (nothing changed), 5 busy or locked,
    6 not found, 130 interrupted.
    "
  `)
})
