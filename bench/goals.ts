import type { BenchReport, Figure } from './measured.ts'

/** The goals of Retake, and the figures that show whether it reaches them. */
export interface StatedGoal {
  readonly what: string
  readonly goal: string
  readonly bench: string
  readonly shownBy: RegExp
}

export const goals: readonly StatedGoal[] = [
  {
    what: 'snapshot of 1 changed file in a process that watches, against opencode 1.18',
    goal: '≥ 10× as quick at 1,000 files, ≥ 12× at 10,000, ≥ 80× at 100,000',
    bench: 'snapshots',
    shownBy: /watch, 1 change, against opencode$/,
  },
  {
    what: '… against reading and hashing the changed bytes and one sync',
    goal: '≤ 6× at any size',
    bench: 'snapshots',
    shownBy: /watch, 1 change, against read \+ sha1 \+ sync$/,
  },
  {
    what: '… growth from 1,000 to 100,000 files',
    goal: '≤ 2×',
    bench: 'snapshots',
    shownBy: /^growth from 1,000 to 100,000 files/,
  },
  {
    what: 'snapshot by a process that just started (scan), 100,000 files, against lstat in C',
    goal: '≤ 2×',
    bench: 'snapshots',
    shownBy: /scan, 1 change, against lstat in C$/,
  },
  {
    what: '… against opencode 1.18',
    goal: '≥ 2× as quick',
    bench: 'snapshots',
    shownBy: /scan, 1 change, against opencode$/,
  },
  {
    what: 'first snapshot of a clean git tree, against `git status`',
    goal: '≤ 2×',
    bench: 'snapshots',
    shownBy: /first, against git status$/,
  },
  {
    what: '… contents written for files that git’s own objects can stand in for',
    goal: 'none',
    bench: 'snapshots',
    shownBy: /first, contents written$/,
  },
  {
    what: 'restore of 1 to 20 files, journaled and synced, against git’s best way, synced',
    goal: '≥ 2× as quick at 10,000 files (20 files ≥ 1×), ≥ 8× at 100,000',
    bench: 'restore',
    shownBy: /restore of (1|20), against git read-tree/,
  },
  {
    what: '… of 2,000 files, against the same with its files synced',
    goal: '≥ 1.5× as quick',
    bench: 'restore',
    shownBy: /restore of 2000, against the same git/,
  },
  {
    what: 'three-way merge of a file, against one jsdiff per side',
    goal: '≤ 3×',
    bench: 'merge',
    shownBy: /against one jsdiff per side$/,
  },
  {
    what: '… of any file',
    goal: '≤ 200 ms, then it counts as changed whole',
    bench: 'merge',
    shownBy: /^20,000 lines/,
  },
  {
    what: 'undo of 1 turn with everything, 10,000 files, against the restore alone',
    goal: '≤ 2×',
    bench: 'undo',
    shownBy: /undo of 1 turn/,
  },
  {
    what: 'index of a transcript of 500 MB, against a raw read',
    goal: '≤ 3×',
    bench: 'transcripts',
    shownBy: /^index 500 MB/,
  },
  { what: '… memory', goal: '< 120 MB', bench: 'transcripts', shownBy: /^memory to index 500 MB/ },
  {
    what: 'tail of a growing transcript',
    goal: '≤ 5 ms',
    bench: 'transcripts',
    shownBy: /^tail of a growing 500 MB/,
  },
  {
    what: 'list of 5,000 sessions, against readdir and stat',
    goal: 'known ≤ 3×, unknown ≤ 8×',
    bench: 'transcripts',
    shownBy: /^list /,
  },
  {
    what: 'hook until the event is recorded, against `sh -c true`',
    goal: '≤ 1.5×',
    bench: 'hooks',
    shownBy: /^one hook/,
  },
  {
    what: 'all hooks, to a tool call of the agent, beside hooks that do nothing',
    goal: '≤ +6 ms',
    bench: 'hooks',
    shownBy: /^(all hooks|… with a server)/,
  },
  {
    what: 'start of the command line, against `node -e 0`',
    goal: '≤ 1.7×, `status` and `log` ≤ 1.5×',
    bench: 'start',
    shownBy: /^`retake .*against `node -e 0`$/,
  },
  {
    what: 'memory of a process that watches 100,000 files',
    goal: '≤ 150 MB',
    bench: 'snapshots',
    shownBy: /^100,000 files: memory of a process that watches$/,
  },
  {
    what: 'first search over 5,000 sessions, against reading their bytes',
    goal: '≤ 4×',
    bench: 'time',
    shownBy: /^first search/,
  },
  {
    what: 'page, 12,000 turns: first turn on the screen, with a warm and an empty cache',
    goal: '≤ 1 s',
    bench: 'web',
    shownBy: /^(first turn on the screen, 12,000 turns|… in a server that just started)/,
  },
  {
    what: '… plan of an undo of 11,900 turns',
    goal: '≤ 0.8 s',
    bench: 'web',
    shownBy: /^plan over/,
  },
  {
    what: '… scrolled by 300 px a frame',
    goal: 'nothing blank',
    bench: 'web',
    shownBy: /^points without a turn/,
  },
  {
    what: '… older turns come in above, and newer ones below',
    goal: 'stays put; sticks at the end',
    bench: 'web',
    shownBy: /^(moved by older turns|away from the end)/,
  },
]

/** The figures for a goal; none if it was not measured. */
export function figuresOf({ bench, shownBy }: StatedGoal, report: BenchReport): Figure[] {
  const found = report.benches[bench]?.figures ?? []
  return found.filter(({ what, goal }) => {
    const bound = 'most' in goal ? goal.most : goal.least
    return bound !== null && shownBy.test(what)
  })
}
