import type { BenchReport, BenchRun, Line, Times } from '../../bench/measured.ts'

const RUN = {
  run: '2026-11-15T15:40:00.000Z',
  seconds: 130,
  load: 0.2,
  machine: {
    cores: 2,
    processor: 'Made up',
    memoryGB: 24,
    system: 'Linux 6.18.44',
    fileSystem: 'ext4',
  },
  versions: { Retake: '0.1.0', Node: '24.21.0', git: '2.39.5' },
}
const SIZES = [1000, 3000, 10_000, 30_000, 100_000]

function line(who: string, medians: readonly number[], isOurs = false): Line {
  const points = medians.map((median, n) => {
    return { at: SIZES[n]!, median, low: median * 0.9, high: median * 1.2, rounds: 5 }
  })
  return { who, isOurs, points }
}

function times(median: number): Times {
  return { median, low: median * 0.9, high: median * 1.2, rounds: 9 }
}

/** Made-up figures of every kind, to test how they are rendered. */
export function madeUpReport(): BenchReport {
  const snapshots: BenchRun = {
    ...RUN,
    figures: [
      {
        what: '1,000 files: watch, 1 change, against opencode',
        value: 15.9,
        unit: '× as quick',
        goal: { least: 10 },
        ours: times(2),
        other: times(31.8),
      },
      {
        what: '100,000 files: watch, 1 change, against opencode',
        value: 64,
        unit: '× as quick',
        goal: { least: 80, why: 'The disk of this machine syncs late.' },
        ours: times(8.2),
        other: times(524),
      },
      {
        what: '100,000 files: scan, 1 change, against lstat in C',
        value: null,
        unit: '×',
        goal: { most: 2 },
        ours: times(250),
        other: { failed: 'there is no compiler' },
      },
    ],
    curves: [
      {
        name: 'snapshot',
        what: 'Snapshot after one changed file',
        over: 'files',
        unit: 'ms',
        lines: [
          line('Retake, watching', [2, 2.4, 2.6, 2.7, 2.9], true),
          line('Retake, just started', [8, 14, 35, 90, 240], true),
          line('opencode 1.18', [31.8, 60, 109, 230, 524]),
          line('opencode 2025', [14.6, 30, 69, 170, 404]),
          line('Gemini CLI', [30, 70, 150, 390, 856]),
          line('Cline', [97, 160, 324, 900, 3133]),
          line('Cline SDK', [28, 60, 106, 260, 634]),
          line('Roo Code', [31, 72, 152, 350, 698]),
          line('Claude Code (its own edits only)', [0.5, 0.6, 1.1, 0.7, 0.7]),
          { who: 'git, given the paths', isOurs: false, points: [] },
        ],
      },
    ],
  }
  const restore: BenchRun = {
    ...RUN,
    figures: [
      {
        what: '10,000 files: restore of 1, against git read-tree with all synced',
        value: 1.5,
        unit: '× as quick',
        goal: { least: 2 },
        ours: times(30),
        other: times(45),
      },
    ],
    curves: [
      {
        name: 'restore',
        what: 'Restore of one file',
        over: 'files',
        unit: 'ms',
        lines: [
          line('Retake, journaled and synced', [6, 6.2, 6.5, 7, 8], true),
          line('git read-tree, all synced', [12, 20, 45, 130, 361]),
          line('Gemini CLI', [15, 26, 59, 180, 528]),
          line('Cline', [14, 25, 52, 150, 400]),
          line('Roo Code', [20, 32, 70, 200, 560]),
          line('opencode 1.18', [60, 150, 426, 1800, 6665]),
        ],
      },
    ],
  }
  const memory: BenchRun = {
    ...RUN,
    run: '2026-11-14T10:00:00.000Z',
    figures: [
      {
        what: 'memory to index 500 MB',
        value: 102.9,
        unit: 'MB',
        goal: { most: 120 },
        note: 'at its most',
      },
    ],
  }
  const web: BenchRun = { ...RUN, figures: [], failed: 'there is no browser' }
  return {
    schema: 'retake.bench/1',
    benches: { snapshots, restore, transcripts: memory, web },
  }
}
