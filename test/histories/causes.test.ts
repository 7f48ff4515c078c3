import { expect, test } from 'vitest'
import { seededRandom } from '../reader/random.ts'
import { engineWorld } from './engine-world.ts'
import type { Act } from './history.ts'
import { readTree } from './read-tree.ts'
import { replay, type MakeWorld } from './run-history.ts'

const turn = (prompt: string, ...bash: string[]): Act => ({
  do: 'turn',
  prompt,
  steps: bash.length === 0 ? [] : [{ bash }],
})
const write = (prompt: string, path: string, text = 'one\ntwo\n'): Act => ({
  do: 'turn',
  prompt,
  steps: [{ write: path, text }],
})
const undo = (count = 1): Act => ({ do: 'undo', count })
const redo = (count = 1): Act => ({ do: 'redo', count })
const to = (verb: 'switch' | 'rewind' | 'exact', turn: string): Act => ({ do: verb, to: turn })
const revert = (turn: string, off = false): Act => ({ do: 'revert', turn, off })
const opUndo: Act = { do: 'op-undo' }

/** The smallest history for each fault that the generator found. */
const CAUSES: Readonly<Record<string, readonly Act[]>> = {
  '[cell.3] a revert leaves a file that a later turn made anew with the same content': [
    write('T1', 'a'),
    turn('T2', 'rm a'),
    write('T3', 'a'),
    revert('T1'),
    undo(2),
  ],
  '[cell.3] a turn that came back below a file made anew goes with its own undo': [
    write('T1', 'a'),
    turn('T2', 'rm a'),
    revert('T1'),
    write('T3', 'a'),
    revert('T1', true),
    undo(2),
    undo(),
  ],
  '[cell.3] a file is not restored over an empty directory that a later turn made': [
    turn('T1', 'echo e > e'),
    undo(),
    turn('T2', 'mkdir e'),
    revert('T1', true),
    undo(),
    redo(),
  ],
  '[sem.V5] a redo renames a file that an older rename has moved elsewhere meanwhile': [
    write('T1', 'a'),
    turn('T2', 'mv a b'),
    revert('T2'),
    turn('T3', 'mv a c'),
    revert('T2', true),
    undo(),
    redo(),
  ],
  '[sem.M6] an undone revert brings no directory back where a later turn wrote a file': [
    turn('T1', 'mkdir -p d/e'),
    revert('T1'),
    write('T2', 'd', ''),
    opUndo,
    undo(),
    redo(),
  ],
  '[sem.V8] a file in the place of a directory that an exact rewind passed comes back': [
    write('T1', 'd/a'),
    turn('T2', 'rm -rf d; echo d > d'),
    turn('T3', 'rm d; mkdir d; echo e > d/e'),
    undo(3),
    to('exact', 'T3'),
    undo(),
  ],
  '[sem.M5] a renamed file does not go back over a directory that a later turn made': [
    turn('T1', 'echo b > b'),
    turn('T2', 'mv b c'),
    turn('T3', 'mkdir b'),
    revert('T2'),
    undo(2),
    redo(2),
  ],
  '[sem.M5] a renamed file whose deletion at its old path is undone is at its new path': [
    write('T1', 'b/f.txt'),
    turn('T2', 'mv b e'),
    revert('T2'),
    turn('T3', 'rm -rf b'),
    revert('T2', true),
    undo(),
  ],
  '[sem.V5] a redo deletes a file that an older rename has moved away meanwhile': [
    write('T1', 'a'),
    turn('T2', 'mv a b'),
    revert('T2'),
    turn('T3', 'rm a'),
    revert('T2', true),
    undo(),
    redo(),
  ],
  '[sem.V5] a redo renames a file that an older turn has deleted meanwhile': [
    write('T1', 'a'),
    turn('T2', 'rm a'),
    revert('T2'),
    turn('T3', 'mv a b'),
    revert('T2', true),
    undo(2),
    redo(),
    redo(),
  ],
  '[sem.M6] a file whose place a directory took goes, though its deletion by a later turn is undone':
    [
      {
        do: 'turn',
        prompt: 'T1',
        steps: [
          { write: 'b/f', text: 'f\n' },
          { write: 'e', text: 'y\n' },
        ],
      },
      turn('T2', 'rm e; mv b e'),
      revert('T2'),
      turn('T3', 'rm -r b e'),
      revert('T2', true),
      undo(),
      undo(),
    ],
  '[sem.M5] a file that was renamed while its deletion was out stays deleted once both are settled':
    [
      turn('T1', 'mkdir -p b/a; echo x > b/a/f'),
      turn('T2', 'rm -rf b'),
      revert('T2'),
      turn('T3', 'mv b/a/f c'),
      revert('T2', true),
      undo(),
    ],
  '[sem.M5] a rename that comes back leaves a file that was made at its old path since': [
    write('T1', 'b'),
    turn('T2', 'mv b e'),
    revert('T2'),
    turn('T3', 'rm b'),
    write('T4', 'b', 'new\n'),
    revert('T2', true),
    undo(),
    undo(),
  ],
  '[sem.M5] a file goes back to a path where its own turn made a directory': [
    turn('T1', 'mkdir b; echo b > b/b'),
    turn('T2', 'mv b/b .kept; mkdir b/b; mv .kept b/b/d'),
    { do: 'revert-files', path: 'b/b/d' },
    opUndo,
    undo(2),
    redo(2),
  ],
  '[cell.3] a file does not come back where a later turn moved its twin away': [
    write('T1', 'a'),
    turn('T2'),
    undo(2),
    write('T3', 'a'),
    revert('T1', true),
    revert('T3'),
    turn('T4', 'mv a b'),
    revert('T3', true),
    undo(),
    redo(),
    revert('T3'),
    undo(),
  ],
  '[cell.3] a file in the place of a directory goes, though a later turn hid it when it came back':
    [
      turn('T1'),
      write('T2', 'a/d', ''),
      turn('T3', 'rm -rf a && echo three > a'),
      { do: 'rewind', to: 'T1', only: 'files' },
      write('T4', 'a'),
      revert('T3', true),
      { do: 'revert-files', path: 'a' },
    ],
  '[sem.M5] reverting a file also reverts its deletion at another path, in the same turn': [
    turn('T1', 'echo d > d'),
    { do: 'turn', prompt: 'T2', steps: [{ edit: 'd', old: 'd', new: 'e' }] },
    { do: 'turn', prompt: 'T3', steps: [{ bash: ['mv d k; mkdir d; mv k d/a'] }, { bash: ['rm -rf d'] }] }, // prettier-ignore
    { do: 'revert-files', path: 'd' },
    opUndo,
    undo(3),
  ],
  '[sem.M5] reverting a file also reverts what later turns did to it at its new paths': [
    turn('T1', 'seq 5 > a'),
    turn('T2', 'mv a b'),
    turn('T3', 'sed -i s/3/three/ b', 'echo new > a'),
    { do: 'revert-files', path: 'a' },
    opUndo,
    turn('T4', 'mv b c'),
    turn('T5', 'rm c', 'echo another > b'),
    { do: 'revert-files', path: 'a' },
    opUndo,
    undo(5),
  ],
  '[sem.M5] reverting a file leaves another that a later turn made at its last path': [
    turn('T1', 'seq 5 > a'),
    turn('T2', 'mv a b'),
    turn('T3', 'sed -i s/3/three/ b'),
    turn('T4', 'mv b c'),
    turn('T5', 'rm c'),
    turn('T6', 'echo another > c'),
    { do: 'revert-files', path: 'b' },
    opUndo,
    { do: 'revert-files', path: 'a' },
    opUndo,
    undo(6),
    redo(6),
  ],
  '[sem.M5] a file that its turn renamed twice stays where a later turn took its first path': [
    write('T1', 'a'),
    { do: 'turn', prompt: 'T2', steps: [{ bash: ['mv a b'] }, { bash: ['mv b c'] }] },
    turn('T3', 'mkdir a'),
    { do: 'revert-files', path: 'c' },
  ],
  '[sem.M5] a file that its turn renamed through a directory stays where a later turn took its first path':
    [
      turn('T1', 'echo a > a; mkdir d'),
      { do: 'turn', prompt: 'T2', steps: [{ bash: ['mv a d/b'] }, { bash: ['mv d/b c'] }] },
      turn('T3', 'mkdir a; echo f > a/f'),
      revert('T2'),
    ],
  '[sem.M5] a turn that renames a file, changes it, and makes another at its old path': [
    write('T1', 'x/a', 'four\nthree\n'),
    {
      do: 'turn',
      prompt: 'T2',
      steps: [{ bash: ['mv x/a .'] }, { bash: [': > a', "mkdir -p x; printf '\\000\\3' > x/a"] }],
    },
    to('switch', 'T1'),
    to('switch', 'T2'),
    undo(2),
  ],
  '[sem.V8] an exact way back to a turn that the agent rewound can be undone': [
    turn('T1', 'echo one > c'),
    { do: 'turn', prompt: 'T2', steps: [{ edit: 'c', old: 'one', new: 'one two' }] },
    { do: 'turn', prompt: 'T3', steps: [{ write: 'u', text: 'x' }], rewoundTo: 'T1' },
    to('switch', 'T1'),
    redo(),
    to('exact', 'T2'),
    undo(2),
  ],
  '[sem.A11] an edit stays where it was made, though its directory became a link': [
    write('T1', 'e/d'),
    turn('T2', 'rm -rf e; ln -s b/d e; mkdir -p b/d; echo f > b/d/f'),
    undo(),
    redo(),
    undo(2),
  ],
  '[sem.C5] a file that the agent rewound and a later turn renamed': [
    turn('T1', 'echo one > c; mkdir x'),
    write('T2', 'c'),
    { do: 'turn', prompt: 'T3', steps: [{ bash: ['echo b > b'] }], rewoundTo: 'T1' },
    turn('T4', 'mv c x/'),
    turn('T5', 'cp x/c c'),
    undo(3),
    redo(3),
  ],
  '[sem.C5] a file that the agent rewound, where a later turn moved another': [
    turn('T1'),
    write('T2', 'e'),
    { do: 'turn', prompt: 'T3', steps: [{ bash: ['echo d > d'] }], rewoundTo: 'T1' },
    turn('T4', 'mv d e'),
    to('switch', 'T3'),
    undo(),
    redo(3),
    to('switch', 'T2'),
  ],
  '[sem.C5] turns that made a file and removed it are not taken for rewound ones': [
    turn('T1'),
    write('T2', 'e'),
    { do: 'turn', prompt: 'T3', steps: [{ bash: ['rm e'] }, { write: 'c', text: '' }] },
    undo(2),
    { do: 'rewind', to: 'T3', only: 'files' },
    to('rewind', 'T1'),
  ],
  '[sem.C5] a renamed file is not taken for one that the agent rewound': [
    turn('T1', 'echo a > a'),
    turn('T2', 'mv a b'),
    to('rewind', 'T1'),
    { do: 'rewind', to: 'T2', only: 'files' },
    to('rewind', 'T1'),
  ],
  '[sem.C5] a file that a directory with itself in it replaced is not taken for a rewound one': [
    turn('T1'),
    write('T2', 'a'),
    turn('T3', 'mv a k; mkdir a; mv k a/d'),
    undo(2),
    { do: 'rewind', to: 'T3', only: 'files' },
    to('rewind', 'T1'),
  ],
  '[sem.C5] what the agent rewound itself comes back with its branch': [
    turn('T1', 'echo one > a; mkdir d'),
    write('T2', 'a'),
    write('T3', 'd/n'),
    { do: 'turn', prompt: 'T4', steps: [{ bash: ['echo four >> a'] }], rewoundTo: 'T1' },
    undo(),
    redo(),
    to('switch', 'T3'),
    undo(),
    to('switch', 'T4'),
  ],
  '[sem.C5] what the agent rewound after a redo comes back with its branch': [
    turn('T1'),
    write('T2', 'a'),
    write('T3', 'a', 'three'),
    undo(2),
    redo(),
    { do: 'turn', prompt: 'T4', steps: [], rewoundTo: 'T1' },
    to('switch', 'T2'),
  ],
  '[sem.M6] a directory that took the place of a file, with the file in it': [
    write('T1', 'A/d'),
    turn('T2', 'rm -rf A; echo one > A'),
    turn('T3', 'mv A k; mkdir A; mv k A/d'),
    undo(),
  ],
  '[sem.M6] a directory that a Write made goes with it, though a later turn removed it': [
    write('T1', 'd/e/a'),
    turn('T2', 'rm -rf d/e'),
    undo(2),
    redo(2),
    undo(2),
  ],
  '[sem.M6] a directory that a redo made for its file goes again': [
    write('T1', 'd/a'),
    turn('T2', 'echo b > d/b'),
    undo(2),
    turn('T3'),
    to('switch', 'T1'),
    to('rewind', 'T2'),
    opUndo,
  ],
  '[sem.M6] an empty directory that the last of several turns left comes back': [
    write('T1', 'd/a'),
    turn('T2', 'rm d/a'),
    undo(2),
    redo(2),
  ],
  '[sem.M6] a directory made on one branch and by a Write on another': [
    turn('T1'),
    turn('T2', 'mkdir d; echo b > d/b'),
    undo(),
    write('T3', 'd/a'),
    undo(),
    to('switch', 'T2'),
    to('switch', 'T3'),
  ],
  '[sem.M6] a directory that a command made is not the next turn’s, whose Write came right after': [
    turn('T1', 'mkdir -p c/b'),
    write('T2', 'c/d'),
    undo(),
    undo(),
    redo(),
  ],
  '[sem.M6] a directory goes with the empty one in it, after the turn that made it was reverted': [
    turn('T1'),
    write('T2', 'd/a'),
    turn('T3', 'mkdir d/e'),
    revert('T2'),
    undo(2),
    redo(2),
    revert('T2', true),
  ],
  '[sem.M6] a directory of a reverted turn goes with a file that was renamed away from it': [
    turn('T1', 'mkdir d'),
    turn('T2', 'echo b > d/b'),
    revert('T1'),
    turn('T3', 'mv d/b b'),
    undo(3),
    undo(),
  ],
  '[sem.M6] a directory that outlived the revert of its turn comes back after its removal': [
    turn('T1', 'mkdir -m 700 d; echo f > d/f'),
    turn('T2', 'echo g > d/g'),
    revert('T1'),
    turn('T3', 'rm d/g'),
    turn('T4', 'rmdir d'),
    undo(),
    undo(2),
    redo(),
    redo(),
    undo(2),
    redo(2),
    redo(),
  ],
  '[sem.M6] names that differ in case alone are two files here': [
    write('T1', 'A'),
    write('T2', 'a/b'),
    undo(),
    redo(),
    turn('T3', 'mv A x; mv a A; mv x a'),
    undo(2),
    redo(2),
  ],
  '[sem.V8] a file comes back where a turn made a directory, though its own turn counts as in': [
    write('T1', 'b'),
    undo(),
    turn('T2', 'mkdir b; echo a > b/a'),
    { do: 'revert', turn: 'T1', off: true, onConflict: 'keep-mine' },
    to('exact', 'T1'),
  ],
  '[sem.C5] an edit that the agent rewound before a scan saw it had the file’s mode': [
    write('T1', 'a'),
    { do: 'turn', prompt: 'T2', steps: [{ bash: ['chmod 600 a'] }, { edit: 'a', old: 'one', new: '1' }] }, // prettier-ignore
    { do: 'turn', prompt: 'T3', steps: [{ edit: 'a', old: 'two', new: '2' }] },
    { do: 'turn', prompt: 'T4', steps: [{ bash: ['rm a'] }], rewoundTo: 'T2' },
    to('switch', 'T3'),
  ],
  '[cell.3] an undone revert writes no file where a later turn removed the directory': [
    turn('T1', 'mkdir d; echo a > d/a'),
    turn('T2', 'rm -r d; echo d > d'),
    revert('T2'),
    turn('T3', 'rm -r d'),
    opUndo,
    undo(3),
  ],
  '[sem.M6] a directory is not made for a file that its own turn deleted': [
    turn('T1', 'mkdir d'),
    turn('T2', 'rmdir d; echo d > d'),
    { do: 'turn', prompt: 'T3', steps: [{ bash: ['mv d k; mkdir d; mv k d/a'] }, { bash: ['rm -r d'] }] }, // prettier-ignore
    undo(),
    redo(),
  ],
  '[sem.M5] reverting a file reverts all of its renames in the turn': [
    write('T1', 'd'),
    { do: 'turn', prompt: 'T2', steps: [{ bash: ['mv d k; mkdir d; mv k d/a'] }, { bash: ['mv d k; mkdir d; mv k d/a'] }] }, // prettier-ignore
    { do: 'revert-files', path: 'd/a/a' },
  ],
  '[sem.M5] an undone revert of a rename leaves a file that a later turn renamed too': [
    write('T1', 'a'),
    turn('T2', 'mv a b'),
    revert('T2'),
    turn('T3', 'mv a c'),
    opUndo,
    to('switch', 'T2'),
  ],
  '[sem.C5] turns that made a file and removed it are not taken for rewound after a redo of files':
    [
      turn('T1'),
      write('T2', 'd/a'),
      turn('T3', 'rm d/a'),
      undo(2),
      { do: 'rewind', to: 'T3', only: 'files' },
      to('rewind', 'T1'),
    ],
  '[sem.M6] a directory goes though an earlier turn had made one there and moved it away': [
    { do: 'turn', prompt: 'T1', steps: [{ write: 'd/a', text: '' }, { bash: ['mv d e'] }] },
    turn('T2', 'mkdir d; echo b > d/b'),
    undo(),
  ],
  '[recorded.4] a new file that the agent rewound comes back though a binary one is there': [
    turn('T1'),
    write('T2', 'a'),
    { do: 'turn', prompt: 'T3', steps: [], rewoundTo: 'T1' },
    turn('T4', "printf '\\000\\3\\377' > a"),
    to('switch', 'T2'),
  ],
  '[sem.M5] a file of a reverted turn goes, though a later turn renamed it while it was in': [
    turn('T1', 'mkdir d; echo a > d/a'),
    revert('T1'),
    revert('T1', true),
    turn('T2', 'mv d/a b'),
    opUndo,
    undo(2),
  ],
  '[sem.V8] a redo of some turns after an exact rewind brings their files': [
    write('T1', 'a/b'),
    turn('T2', 'mv a c'),
    turn('T3', 'mv c d'),
    turn('T4', 'mv d e'),
    to('exact', 'T1'),
    redo(2),
    redo(),
  ],
  '[sem.V8] an exact rewind knows which turns were in before an undo and a redo': [
    turn('T1', 'mkdir d; echo a > d/a'),
    undo(),
    redo(),
    to('exact', 'T1'),
    undo(),
    opUndo,
    to('exact', 'T1'),
  ],
  '[sem.A2] a directory that went where an older one was moved in is the turn’s': [
    turn('T1', 'mkdir -p b/b/d'),
    turn('T2', 'mv b/b x; mv b c; mv x b'),
    undo(),
    redo(),
  ],
  '[sem.V8] a file is restored to nothing where another turn renamed it later': [
    write('T1', 'a'),
    turn('T2', 'mv a b'),
    turn('T3', 'echo more >> b'),
    { do: 'restore', path: 'b', at: 'T1' },
    opUndo,
  ],
  '[sem.V8] a file is restored where a directory stood before it': [
    turn('T1', 'mkdir d; echo a > d/a'),
    turn('T2', 'rm -r d; echo d > d'),
    { do: 'restore', path: 'd', at: 'T2' },
    turn('T3', 'rm d; mkdir d; echo a > d/a'),
    { do: 'restore', path: 'd/a', at: 'T1' },
    opUndo,
    undo(2),
    redo(2),
  ],
  '[sem.V8] a file that is restored to nothing brings no directory that stood there once': [
    turn('T1'),
    write('T2', 'b/b'),
    turn('T3', 'mv b c'),
    turn('T4', 'echo b > b'),
    { do: 'restore', path: 'b', at: 'T1' },
    opUndo,
    undo(3),
    redo(3),
  ],
  '[sem.V8] a file is restored where an empty directory stands now': [
    turn('T1', 'echo d > d'),
    turn('T2', 'rm d; mkdir d'),
    { do: 'restore', path: 'd', at: 'T1' },
    opUndo,
    undo(),
    redo(),
  ],
  '[sem.M6] a file that comes back where files lie two levels below is a conflict': [
    turn('T1', 'echo c > c'),
    undo(),
    write('T2', 'c/d/a'),
    revert('T1', true),
  ],
  '[sem.V8] an exact rewind passes turns that together changed nothing': [
    turn('T1', 'echo a > a'),
    turn('T2', 'rm a; echo b > b'),
    { do: 'rewind', to: null },
    to('exact', 'T2'),
    to('rewind', 'T1'),
  ],
  '[sem.M6] a directory stands again when the file that took its place goes': [
    turn('T1', 'mkdir e; echo a > a'),
    revert('T1'),
    turn('T2', 'echo e > e'),
    opUndo,
    undo(),
  ],
  '[sem.V7] revert and revert off leave an undone first turn undone': [
    write('T1', 'a'),
    undo(),
    revert('T1'),
    revert('T1', true),
    redo(),
  ],
  '[sem.O2] an undone redo returns to before the first turn, though that turn is reverted': [
    write('T1', 'a'),
    turn('T2'),
    undo(2),
    revert('T1'),
    redo(),
    opUndo,
    revert('T1', true),
  ],
  '[sem.C1] a switch starts where the files stand, which a rewind of files alone left behind': [
    turn('T1', 'true'),
    write('T2', 'a'),
    turn('T3', 'true'),
    { do: 'rewind', to: 'T1', only: 'files' },
    to('rewind', 'T3'),
    opUndo,
    to('switch', 'T2'),
  ],
  '[sem.V8] an exact rewind to a turn that the agent rewound before a look came': [
    turn('T1', 'echo one > a'),
    {
      do: 'turn',
      prompt: 'T2',
      steps: [
        { write: 'a', text: 'two' },
        { write: 'b', text: '' },
      ],
    },
    { do: 'turn', prompt: 'T3', steps: [{ write: 'c', text: '' }], rewoundTo: 'T1' },
    to('switch', 'T1'),
    to('exact', 'T2'),
    to('switch', 'T3'),
    to('switch', 'T2'),
    to('exact', 'T2'),
  ],
  '[sem.C3] files that were moved alone and were out at a prompt stay out': [
    write('T1', 'a'),
    write('T2', 'b'),
    write('T3', 'c'),
    { do: 'rewind', to: 'T1', only: 'files' },
    write('T4', 'd'),
    undo(),
    undo(2),
    redo(2),
    redo(),
  ],
  '[sem.C3] a turn that was undone after the prompts below it comes back': [
    turn('T1'),
    write('T2', 'a'),
    undo(),
    redo(),
    write('T3', 'b'),
    to('rewind', 'T1'),
    turn('T4'),
    to('switch', 'T2'),
  ],
  '[recorded.4] an edit keeps its encoding though a later turn put a binary file in its place': [
    turn('T1', "printf 'one\\ntwo\\n' > a"),
    {
      do: 'turn',
      prompt: 'T2',
      steps: [
        { edit: 'a', old: 'one', new: 'one 1' },
        { edit: 'a', old: 'one', new: 'one 2' },
      ],
    },
    turn('T3', "printf '\\000\\1\\377' > b", 'mv a c && mv b a && mv c b'),
    { do: 'rewind', to: null },
  ],
  '[sem.A7] a file comes back though an ignored directory took its place': [
    turn('T1', 'echo one > a'),
    turn('T2', 'echo a/ > .gitignore', 'rm a; mkdir a; echo two > a/b'),
    turn('T3', 'rm -rf a'),
    undo(2),
    redo(2),
    turn('T4', 'mkdir a; echo four > a/b'),
    turn('T5', 'rm -rf a; echo five > a'),
    undo(4),
  ],
  '[cell.1] a revert of a turn that renamed a file there and back changes nothing': [
    write('T1', 'a'),
    { do: 'turn', prompt: 'T2', steps: [{ bash: ['mv a b', 'mv b a'], peek: 1 }] },
    turn('T3', 'mv a c; mkdir a; mv c a/b'),
    revert('T2'),
  ],
  '[cell.1] a revert of a turn that moved a file away and put a copy in its place changes nothing':
    [
      write('T1', 'a'),
      {
        do: 'turn',
        prompt: 'T2',
        steps: [
          { bash: ['mkdir A; cp a A/a'] },
          { bash: ['mv a b', 'mv A/a a; rm -r A b'], peek: 1 },
        ],
      },
      turn('T3', 'mv a c; mkdir a; mv c a/a'),
      revert('T2'),
    ],
  '[cell.1] a turn that took a directory and put it back leaves what was deleted in it': [
    write('T1', 'a'),
    write('T2', 'b'),
    {
      do: 'turn',
      prompt: 'T3',
      steps: [
        { bash: ['mv b c; mkdir b; mv c b/a'] },
        { bash: ['mv a c; mv b a; mv c b', 'mv a c; mv b a; rm -r c'], peek: 1 },
      ],
    },
    turn('T4', 'mv a c; mkdir a; mv c a/a'),
    revert('T3'),
  ],
  '[cell.3] reverting a file passes a directory that its turn made where it took it from': [
    turn('T1', 'mkdir c; echo one > c/a', ': > a'),
    turn('T2', 'mv c d; mv a c; mv d a'),
    {
      do: 'turn',
      prompt: 'T3',
      steps: [{ bash: ['mv c d; mv a c; mv d a'] }, { bash: ['echo two > a'] }],
    },
    { do: 'revert-files', path: 'a' },
  ],
  '[sem.A10] an edit of a file that is not UTF-8 goes back to its bytes': [
    turn('T1', "printf 'caf\\351\\none\\n' > a"),
    { do: 'turn', prompt: 'T2', steps: [{ edit: 'a', old: 'one', new: 'two' }] },
    undo(),
    redo(),
    turn('T3', "printf 'caf\\351\\n' > a"),
    write('T4', 'a'),
    undo(2),
  ],
  '[sem.M8] a Write, then a chmod by the next turn': [
    write('T1', 'a'),
    turn('T2', 'chmod +x a'),
    undo(2),
    redo(2),
  ],
}

/** The same in a directory of `--add-dir`. */
const CAUSES_OUTSIDE: typeof CAUSES = {
  '[sem.A11] an edit outside the project stays where it was made, though its directory became a link':
    [write('T1', 'a/a'), turn('T2', 'mv a b'), turn('T3', 'ln -s b/a a'), undo(2), redo(2)],
  '[sem.V5] the redo of a file and of a directory made in its place restores no file over it': [
    turn('T1'),
    turn('T2', ': > d'),
    revert('T2'),
    turn('T3', 'mkdir d; echo b > d/b'),
    revert('T2', true),
    turn('T4', 'rm -rf d'),
    turn('T5', 'mkdir -p d/e'),
    to('switch', 'T1'),
    redo(3),
  ],
}

const world =
  (added: boolean): MakeWorld =>
  async (random) =>
    engineWorld({ uuid: () => random.uuid(), git: false, watched: false, added })

test.concurrent.each(Object.entries(CAUSES))('%s', async (_name, acts) => {
  expect((await replay(acts, world(false), 1))?.message).toBeUndefined()
})

test.concurrent.each(Object.entries(CAUSES_OUTSIDE))('%s', async (_name, acts) => {
  expect((await replay(acts, world(true), 1))?.message).toBeUndefined()
})

test('[sem.A7][sem.M6] undo asks if an ignored directory is in the way of a file', async () => {
  await using w = await world(false)(seededRandom(1))
  await w.turn('T1', [{ bash: ['echo one > a'] }])
  await w.turn('T2', [{ bash: ['echo a/ > .gitignore', 'rm a; mkdir a; echo two > a/b'] }])
  const before = readTree(w.project)
  expect(await w.operate({ do: 'undo', count: 1 })).toMatchObject({ code: 'conflict', files: ['a'] }) // prettier-ignore
  expect(readTree(w.project)).toEqual(before)
})

test('[sem.M6] reverting a file brings no directory back whose files stay elsewhere', async () => {
  await using w = await world(false)(seededRandom(1))
  await w.turn('T1', [{ bash: ['mkdir -m 700 d; echo one > d/a'] }])
  const first = readTree(w.project)
  await w.turn('T2', [{ bash: ['mv d e; echo two > d'] }])
  await w.operate({ do: 'revert-files', path: 'd' })
  expect([...readTree(w.project).keys()]).toEqual(['e', 'e/a'])
  await w.operate({ do: 'undo', count: 1 })
  expect([...readTree(w.project)]).toEqual([...first])
})

// The clock of file times advances with the timer's interrupts, which a busy host may delay.
test.each([7, 60])(
  '[sem.A2] a change belongs to its command though a scan came right before, by a clock %i ms ahead',
  async (ahead) => {
    const random = seededRandom(1)
    await using w = engineWorld({ uuid: () => random.uuid(), git: false, watched: false, ahead })
    await w.turn('T1', [{ bash: ['mkdir old; echo x > old/x; echo y > y'] }])
    const before = readTree(w.project)
    const commands = ['mkdir d; echo a > d/a; echo b > b; rm -r old; rm y']
    await w.turn('T2', [{ bash: [':', ...commands], peek: 1 }])
    expect(await w.operate({ do: 'undo', count: 1 })).toMatchObject({
      written: expect.arrayContaining(['b', 'd/a', 'old/x', 'y']),
    })
    expect([...readTree(w.project)]).toEqual([...before])
  },
)
