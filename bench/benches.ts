import type { Measured } from './measured.ts'

/** By name, in the order in which they run. */
export const benches: Readonly<Record<string, () => Promise<{ run(): Promise<Measured> }>>> = {
  snapshots: () => import('./snapshots.ts'),
  restore: () => import('./restore.ts'),
  undo: () => import('./undo.ts'),
  'in-place': () => import('./in-place.ts'),
  branches: () => import('./branches.ts'),
  merge: () => import('./merge.ts'),
  transcripts: () => import('./transcripts.ts'),
  time: () => import('./time.ts'),
  hooks: () => import('./hooks.ts'),
  start: () => import('./start.ts'),
  server: () => import('./server.ts'),
  web: () => import('./web.ts'),
}

export const benchNames = Object.keys(benches)
