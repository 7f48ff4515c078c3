import type { Part } from '../part.ts'
import { crashes } from './crashes.ts'
import { races } from './races.ts'
import { transcripts } from './transcripts.ts'

/** In the order of the goals. */
export const parts: readonly Part[] = [...crashes, ...races, ...transcripts].toSorted(
  (a, b) => Number(a.goal.slice(1)) - Number(b.goal.slice(1)),
)
