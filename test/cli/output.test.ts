import { expect, test } from 'vitest'
import { bash, edit, read, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { seen } from './seen.ts'

/** The complete output of every command, and every kind of refusal. */
const session = playedOnce({
  files: { 'a.txt': 'one\ntwo\nthree\n' },
  turns: {
    'Add a login form': [[write('login.html', '<form>\n</form>\n'), bash('true')], 'Added it.'],
    'Use sessions': [read('a.txt'), edit('a.txt', 'two', 'TWO'), 'Done.'],
    'Rename files': [[write('c.txt', 'c\n')], 'Renamed.'],
  },
})

test('[G1] commands that read', async () => {
  const p = await session()
  expect(await seen(p, 'log', 'tree', 'sessions')).toMatchInlineSnapshot(`
    "$ retake log
    Add a login form  3 turns · aaaaaaaa
    Only the edits that the agent recorded; what its commands did is not known.

     ● 1    Add a login form                                        12:00  2 steps
            +  login.html  +2
            $ true  (effect on files not recorded)
     ● 2    Use sessions                                            12:00  2 steps
            ~  a.txt  +1 −1
     ◉ 3    Rename files                             12:00  1 step  ← you are here
            +  c.txt  +1

    $ retake tree
     ● 1  Add a login form
     ● 2  Use sessions
     ◉ 3  Rename files  ← you are here

    $ retake sessions
    /ROOT/project
      aaaaaaaa  Add a login form                  3 turns        AGE
    "
  `)
  expect(await seen(p, 'show 2', 'status', 'status --line')).toMatchInlineSnapshot(`
    "$ retake show 2
    Turn 2  12:00 · 4 messages · 2 steps

      > Use sessions

      Read /ROOT/project/a.txt
      Edit /ROOT/project/a.txt
      Done.

    1 file
      ~  a.txt  +1 −1  (line endings not recorded)

    a.txt
    @@ -1,3 +1,3 @@
     one
    -two
    +TWO
     three

    $ retake status
    Add a login form  aaaaaaaa
      project   /ROOT/project
      head      turn 3 of 3  Rename files
      branches  1, on main
      coverage  the agent's recorded edits; what its commands did to files is not known
      hooks     not installed; run \`retake install\` to see what commands do
      kept      SIZE in all, of 5 GB

    $ retake status --line
    ⑂ main · turn 3 of 3 · no hooks
    "
  `)
  expect(await seen(p, 'diff 1..2', 'branches', 'checkpoints', 'stash', 'op log'))
    .toMatchInlineSnapshot(`
      "$ retake diff 1..2
      a.txt
      @@ -1,3 +1,3 @@
       one
      -two
      +TWO
       three

      $ retake branches
       ◉ main  from the start  3 turns  AGE 3 files +4 −1  ← you are here

      $ retake checkpoints
      No checkpoints yet. Run \`retake checkpoint NAME\` to name the current turn.

      $ retake stash
      The stash is empty: every turn is on the current line.

      $ retake op log
      No operations in this project yet.
      "
    `)
})

test('[U1][U5] commands that move, and the state they leave', async () => {
  const p = await session()
  expect(await seen(p, 'undo 2 --dry-run', 'undo', 'redo', 'rewind 1', 'redo --all'))
    .toMatchInlineSnapshot(`
      "$ retake undo 2 --dry-run
      Undo 2 turns (“Use sessions”) · 7 messages · 2 files
        ↺ restore  a.txt                          +1 −1
        ⊘ delete   c.txt                          −1
        conversation: continues after turn 1

      $ retake undo
      Undid 1 turn: 1 file removed.
      The undone prompt: Rename files
      Run \`retake redo\` to redo it.

      $ retake redo
      Redid 1 turn: 1 file changed.
      Run \`retake op undo 2\` to undo this.

      $ retake rewind 1
      Undid 2 turns: 1 file restored, 1 removed.
      The undone prompt: Use sessions
      Run \`retake redo 2\` to redo them.

      $ retake redo --all
      Redid 2 turns: 2 files changed.
      Run \`retake op undo 4\` to undo this.
      "
    `)
  expect(await seen(p, 'back', 'revert 2', 'revert 2 --off', 'restore a.txt --at 1', 'op undo'))
    .toMatchInlineSnapshot(`
      "$ retake back
      Undid 1 turn. No file changed.
      The undone prompt: Rename files
      Run \`retake redo\` to redo it.

      $ retake revert 2
      Reverted the turn’s changes: 1 file restored.
      Run \`retake op undo 6\` to undo this.

      $ retake revert 2 --off
      Brought the turn’s changes back: 1 file restored.
      Run \`retake op undo 7\` to undo this.

      $ retake restore a.txt --at 1
      Restored 1 file.
      Run \`retake op undo 8\` to undo this.

      $ retake op undo
      Undid the operation: 1 file restored.
      Run \`retake op undo 9\` to undo this.
      "
    `)
  expect(await seen(p, 'op log', 'op show 1', 'stash', 'where a.txt')).toMatchInlineSnapshot(`
    "$ retake op log
    9     AGE undo of operation 8 · 1 turn · 1 file
    8     AGE restore · 1 file  (undone)
    7     AGE revert-off · 1 turn · 1 file
    6     AGE revert · 1 turn · 1 file
    5     AGE undo · 1 turn · conversation
    4     AGE redo · 2 turns · 2 files · conversation
    3     AGE rewind · 2 turns · 2 files · conversation
    2     AGE redo · 1 turn · 1 file · conversation
    1     AGE undo · 1 turn · 1 file · conversation

    $ retake op show 1
    Operation 1  AGE undo · 1 turn · 1 file · conversation
      12:00, session aaaaaaaa, from turn 3 to turn 2
      c.txt                          bbbbbbbb → absent

    $ retake stash
     5    1 turn · left by undo · AGE · ahead: \`retake redo\`
          ◌ Rename files  1 file +1
    Run \`retake stash show ID\` to see turns, \`retake stash restore ID\` to restore them.

    $ retake where a.txt
    cccccccc  14 bytes       AGE after turn dddddddd, before operation 3, after operation 4, before operation 6, after operation 7, before operation 8, after operation 9  (current)
    eeeeeeee  14 bytes       AGE before turn dddddddd, after operation 3, before operation 4, after operation 6, before operation 7, after operation 8, before operation 9
    \`retake where a.txt --content ID > FILE\` writes one out.
    "
  `)
  // Only the conversation went back, so only it comes again.
  expect(await seen(p, 'rewind 3 --dry-run', 'stash show 5', 'stash restore 5', 'rewind 3'))
    .toMatchInlineSnapshot(`
      "$ retake rewind 3 --dry-run
      Go to turn 3, 1 turn away · 3 messages · 0 files
        conversation: continues after turn 3

      $ retake stash show 5
       5    1 turn · left by undo · AGE · ahead: \`retake redo\`
            ◌ Rename files  1 file +1
                +  c.txt  +1

      $ retake stash restore 5
      Redid 1 turn. No file changed.
      Run \`retake op undo 10\` to undo this.

      $ retake rewind 3
      Nothing to do.
      "
    `)
})

test('[B1] commands for branches and names', async () => {
  const p = await session()
  await p.run('undo')
  await p.say('Another way')
  expect(
    await seen(
      p,
      'tree',
      'branches',
      'branch rename main old',
      'branch archive old',
      'branch archive old --off',
      'switch old',
      'compare 2 3',
    ),
  ).toMatchInlineSnapshot(`
    "$ retake tree
     aaaaaaaa  3 turns
     ● 1  Add a login form
     ● 2  Use sessions  ⑂2
     ├─ main  1 turn
     │  ○ 3  Rename files
     ◉ 3  Another way  ← you are here

    $ retake branches
     ○ main      from the start  3 turns  AGE 3 files +4 −1  Add a login form
     ◉ aaaaaaaa  ⑂ after 2       1 turn   AGE no files       ← you are here

    $ retake branch rename main old
    Renamed main to “old”.
    Run \`retake op undo 2\` to undo this.

    $ retake branch archive old
    Archived old.
    Run \`retake op undo 3\` to undo this.

    $ retake branch archive old --off
    Unarchived old.
    Run \`retake op undo 4\` to undo this.

    $ retake switch old
    Switched to old, turn 3: 1 file changed.
    Run \`retake op undo 5\` to undo this.

    $ retake compare 2 3
    Diverged after turn 2 “Use sessions”.

      turn 2               │  turn 3
      no turns of its own  │  1 turn · 3 messages · 1 file +1
                           │  3   Rename files

    1 file differs, from turn 2 to turn 3
      c.txt  +1          changed on the way to turn 3
    \`retake diff 2..3\` shows the lines.
    "
  `)
  expect(
    await seen(
      p,
      'checkpoint works',
      'checkpoints',
      'checkpoint works --delete',
      'branch 1 --title "try this"',
      'sessions',
    ),
  ).toMatchInlineSnapshot(`
    "$ retake checkpoint works
    Turn 3 is now checkpoint “works”.
    Run \`retake op undo 6\` to undo this.

    $ retake checkpoints
     ⚑ works  turn 3    AGE Rename files

    $ retake checkpoint works --delete
    Deleted checkpoint “works”. The turn is unchanged.
    Run \`retake op undo 7\` to undo this.

    $ retake branch 1 --title "try this"
    New session “try this”, bbbbbbbb-…: 1 file restored, 1 removed.
    Run \`claude --resume bbbbbbbb-…\` to continue there. Run \`retake op undo 8\` to undo this.

    $ retake sessions
    /ROOT/project
      cccccccc  Add a login form                  3 turns   ⑂ 2  AGE
        ⑂ aaaaaaaa  try this                      1 turn         AGE
    "
  `)
})

test('[R9] nothing to do, and every kind of refusal', async () => {
  const p = await session()
  expect(await seen(p, 'redo', 'rewind 3', 'undo 9', 'undo none', 'undo --only all', 'rewind'))
    .toMatchInlineSnapshot(`
      "$ retake redo
      Nothing to redo: no turn is undone.

      $ retake rewind 3
      Nothing to do.

      $ retake undo 9
      Undid 3 turns: 1 file restored, 2 removed.
      Note: you asked for 9 turns; there are only 3
      The conversation keeps its first turn.
      Not covered: \`true\` ran in turn 1; what it did to files is not known
      The undone prompt: Add a login form
      Run \`retake redo 3\` to redo them.

      $ retake undo none
      none is not a number of turns.
      (2)

      $ retake undo --only all
      \`--only\` takes \`files\` or \`chat\`.
      (2)

      $ retake rewind
      \`rewind\` needs a turn.
      Hint: Run \`retake rewind --help\` to see how to write it.
      (2)
      "
    `)
  await p.run('redo', '--all')
  await p.s.write('a.txt', 'one\nmine\nthree\n')
  expect(
    await seen(
      p,
      'undo 2',
      'undo 2 --on-conflict maybe',
      'show 9',
      'switch nowhere',
      'log --session ffff',
    ),
  ).toMatchInlineSnapshot(`
    "$ retake undo 2
    Undo 2 turns (“Use sessions”) · 7 messages · 2 files
      ! conflict a.txt                            both changed the same lines
          you and the agent both changed line 2
      ⊘ delete   c.txt                          −1
      conversation: continues after turn 1
    Conflicts in a.txt (line 2).
    Hint: Nothing was changed. Choose with \`--on-conflict keep-mine\`, \`put-back\` or \`mark\`.
    (4)

    $ retake undo 2 --on-conflict maybe
    \`--on-conflict\` takes one of stop, keep-mine, put-back, mark.
    (2)

    $ retake show 9
    There is no turn 9 in this session.
    Hint: Turns are numbered 1 to 3.
    (6)

    $ retake switch nowhere
    There is no branch nowhere in this session.
    Hint: Run \`retake branches\` to list the branches.
    (6)

    $ retake log --session ffff
    There is no session ffff.
    Hint: Run \`retake sessions --all\` to list all sessions.
    (6)
    "
  `)
  expect(
    await seen(
      p,
      'op undo 7',
      'op show x',
      'where none.txt',
      'restore ../b --at 1',
      'forget main',
      'gc --yes',
      'uninstall',
    ),
  ).toMatchInlineSnapshot(`
    "$ retake op undo 7
    There is no such operation.
    Hint: Run \`retake op log\` to list the operations.
    (6)

    $ retake op show x
    x is not an operation number.
    Hint: Run \`retake op log\` to list the operations.
    (2)

    $ retake where none.txt
    Retake has no version of none.txt.

    $ retake restore ../b --at 1
    ../b is not in the project /ROOT/project.
    (1)

    $ retake forget main
    The session is on that branch.
    Hint: Run \`retake switch BRANCH\` first.
    (1)

    $ retake gc --yes
    Nothing to delete: everything is still needed.

    $ retake uninstall
    Retake’s hooks were not installed.
    Not removed: Retake’s data about your projects, in /ROOT/home/.local/share/retake
    Not removed: the cache, in /ROOT/home/.cache/retake
    "
  `)
})
