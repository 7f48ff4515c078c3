import { expect, test } from 'vitest'
import type { BranchesView } from '#protocol'
import { edit, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { picture } from './picture.ts'

const lines = (...each: string[]): string => `${each.join('\n')}\n`

/** Two forks, three names and a checkpoint: operations 1 to 5. */
const story = playedOnce({
  files: { 'src/auth.ts': lines('1', 'a', '2', 'b', '3', 'c', '4', 'd', '5') },
  turns: {
    'Add a login form': [edit('src/auth.ts', '1', 'one'), 'done'],
    'Use sessions': [[edit('src/auth.ts', '2', 'two'), write('src/session.ts', 's\n')], 'done'],
    'Add tests for it': [edit('src/auth.ts', '3', 'three'), 'done'],
  },
  async after(p) {
    await p.run('undo', '2')
    await p.sayAll({
      'Use JWT instead': [
        [edit('src/auth.ts', '4', 'four'), write('src/jwt.ts', 'x\ny\n')],
        'done',
      ],
      'Refresh tokens too': [edit('src/auth.ts', '5', 'five'), 'done'],
    })
    await p.run('undo')
    await p.say('Rotate the keys', ['done'])
    const { branches } = await p.read<BranchesView>('branches')
    await p.run('branch', 'rename', branches[1]!.id, 'try JWT')
    await p.run('branch', 'rename', branches[2]!.id, 'keys')
    await p.run('checkpoint', 'works', '--turn', '2')
  },
})

test('[B5][W10][W18] tree, branches, checkpoints and stash show forks, names and turns left behind', async () => {
  const p = await story()
  expect(await picture(p, 'tree')).toMatchInlineSnapshot(`
    "
     keys  3 turns
     ● 1  Add a login form  ⑂2
     ├─ main  2 turns
     │  ○ 2  Use sessions
     │  ○ 3  Add tests for it
     ● 2  Use JWT instead  ⑂2  ⚑ works
     ├─ try JWT  1 turn
     │  ○ 3  Refresh tokens too
     ◉ 3  Rotate the keys  ← you are here
    "
  `)
  expect(await picture(p, 'branches')).toMatchInlineSnapshot(`
    "
     ○ main     from the start  3 turns  AGE 2 files +4 −3  Add a login form
     ○ try JWT  ⑂ after 1       2 turns  AGE 2 files +4 −2  Use JWT instead
     ◉ keys     ⑂ after 2       1 turn   AGE no files       Rotate the keys  ← you are here
    "
  `)
  expect(await picture(p, 'checkpoints')).toMatchInlineSnapshot(`
    "
     ⚑ works  turn 2    AGE Use JWT instead
    "
  `)
  expect(await picture(p, 'stash')).toMatchInlineSnapshot(`
    "
     2    1 turn · left by undo · AGE · ⑂ try JWT
          ◌ Refresh tokens too  1 file +1 −1
     1    2 turns · left by undo · AGE · ⑂ main
          ◌ Use sessions  2 files +2 −1
          ◌ Add tests for it  1 file +1 −1
    Run \`retake stash show ID\` to see turns, \`retake stash restore ID\` to restore them.
    "
  `)
})

test('[W19] compare shows two lines side by side', async () => {
  const p = await story()
  expect(await picture(p, 'compare', 'main', 'keys')).toMatchInlineSnapshot(`
    "
    Diverged after turn 1 “Add a login form”.

      main                                  │  keys
      2 turns · 6 messages · 2 files +3 −2  │  2 turns · 5 messages · 2 files +3 −1
      2   Use sessions                      │  2   Use JWT instead
      3   Add tests for it                  │  3   Rotate the keys

    3 files differ, from main to keys
      src/auth.ts     +3 −3       both changed it
      src/jwt.ts      +2          keys changed it
      src/session.ts  −1          main changed it
    \`retake diff main..keys\` shows the lines.
    "
  `)
  expect(await picture(p, 'compare', '1', 'works')).toMatchInlineSnapshot(`
    "
    Diverged after turn 1 “Add a login form”.

      turn 1               │  turn 2
      no turns of its own  │  1 turn · 3 messages · 2 files +3 −1
                           │  2   Use JWT instead

    2 files differ, from turn 1 to turn 2
      src/auth.ts  +1 −1       changed on the way to turn 2
      src/jwt.ts   +2          changed on the way to turn 2
    \`retake diff 1..works\` shows the lines.
    "
  `)
})

test('[B5][W13] a switch shows its plan and its receipt, and the turns it leaves go to the stash', async () => {
  const p = await story()
  expect(await picture(p, 'switch', 'main', '--dry-run')).toMatchInlineSnapshot(`
    "
    Switch to main, turn 3 · 11 messages · 3 files
      ↺ restore  src/auth.ts                    +3 −3
      ⊘ delete   src/jwt.ts                     −2
      + create   src/session.ts                 +1
      conversation: continues after turn 3
    "
  `)
  expect(await picture(p, 'switch', 'main')).toMatchInlineSnapshot(`
    "
    Switched to main, turn 3: 2 files changed, 1 removed.
    Run \`retake op undo 6\` to undo this.
    "
  `)
  await p.run('undo')
  await p.run('branch', 'archive', 'keys')
  expect(await picture(p, 'tree')).toMatchInlineSnapshot(`
    "
     main  3 turns
     ● 1  Add a login form  ⑂2
     ├─ try JWT  2 turns
     │  ○ 2  Use JWT instead  ⑂2  ⚑ works
     │  ├─ ▸ archived: keys
     │  ○ 3  Refresh tokens too
     ◉ 2  Use sessions  ← you are here
     ◌ 3  Add tests for it  undone
    "
  `)
  expect(await picture(p, 'stash')).toMatchInlineSnapshot(`
    "
     7    1 turn · left by undo · AGE · ahead: \`retake redo\`
          ◌ Add tests for it  1 file +1 −1
     6    2 turns · left by switch · AGE · ⑂ keys
          ◌ Use JWT instead  2 files +3 −1
          ◌ Rotate the keys  no files
     2    1 turn · left by undo · AGE · ⑂ try JWT
          ◌ Refresh tokens too  1 file +1 −1
    Run \`retake stash show ID\` to see turns, \`retake stash restore ID\` to restore them.
    "
  `)
  expect(await picture(p, 'stash', 'show', '6')).toMatchInlineSnapshot(`
    "
     6    2 turns · left by switch · AGE · ⑂ keys
          ◌ Use JWT instead  2 files +3 −1
              ~  src/auth.ts  +1 −1
              +  src/jwt.ts  +2
          ◌ Rotate the keys  no files
    "
  `)
})

test('[W13] another branch becomes the main branch; branches and op log show it', async () => {
  const p = await story()
  await p.run('switch', 'main')
  await p.run('undo')
  await p.run('branch', 'archive', 'keys')
  expect(await picture(p, 'switch', 'try JWT')).toMatchInlineSnapshot(`
    "
    Switched to try JWT, turn 3: 2 files changed, 1 removed.
    Run \`retake op undo 9\` to undo this.
    "
  `)
  expect(await picture(p, 'branch', 'canonical', 'try JWT')).toMatchInlineSnapshot(`
    "
    Made try JWT the main branch, and archived main.
    Run \`retake op undo 10\` to undo this.
    "
  `)
  expect(await picture(p, 'branches')).toMatchInlineSnapshot(`
    "
     ◉ try JWT  ⑂ after 1       2 turns  AGE 2 files +4 −2  Use JWT instead  main branch  ← you are here
     ◌ main     from the start  3 turns  AGE 2 files +4 −3  Add a login form  archived
     ◌ keys     ⑂ after 2       1 turn   AGE no files       Rotate the keys  archived
    "
  `)
  expect(await picture(p, 'branch', 'delete', 'keys', '--dry-run')).toMatchInlineSnapshot(`
    "
    Hide keys · 1 turn; the transcript keeps them
    "
  `)
  expect(await picture(p, 'op', 'log')).toMatchInlineSnapshot(`
    "
    10    AGE branch-canonical · try JWT, main
    9     AGE switch · try JWT · 3 turns · 3 files · conversation
    8     AGE branch-archive · keys
    7     AGE undo · 1 turn · 1 file · conversation
    6     AGE switch · main · 4 turns · 3 files · conversation
    5     AGE checkpoint · works
    4     AGE branch-rename · #0000001 · keys
    3     AGE branch-rename · #0000002 · try JWT
    2     AGE undo · 1 turn · 1 file · conversation
    1     AGE undo · 2 turns · 2 files · conversation
    "
  `)
})
