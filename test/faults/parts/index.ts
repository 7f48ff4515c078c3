import type { Part } from '../part.ts'
import { endSharedWorld } from '../shared-world.ts'
import { commandLine } from './command-line.ts'
import { crashes } from './crashes.ts'
import { endRigs, powerCuts } from './power-cuts.ts'
import { races } from './races.ts'
import { transcripts } from './transcripts.ts'

/** In the order of the goals. */
export const parts: readonly Part[] = [
  ...crashes,
  ...commandLine,
  ...powerCuts,
  ...races,
  ...transcripts,
].toSorted((a, b) => Number(a.goal.slice(1)) - Number(b.goal.slice(1)))

/** Removes the worlds that parts share. */
export async function endParts(): Promise<void> {
  await endSharedWorld()
  await endRigs()
}
