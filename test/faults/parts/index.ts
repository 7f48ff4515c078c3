import type { Part } from '../part.ts'
import { endSharedWorld } from '../shared-world.ts'
import { agentAtWork } from './agent-at-work.ts'
import { bytes } from './bytes.ts'
import { clocks } from './clocks.ts'
import { commandLine } from './command-line.ts'
import { crashes } from './crashes.ts'
import { damage } from './damage.ts'
import { disks, endSmallDisk } from './disks.ts'
import { histories } from './histories.ts'
import { model } from './model.ts'
import { endRigs, powerCuts } from './power-cuts.ts'
import { races } from './races.ts'
import { transcripts } from './transcripts.ts'

/** Ordered by goal. */
export const parts: readonly Part[] = [
  ...crashes,
  ...commandLine,
  ...powerCuts,
  ...disks,
  ...model,
  ...histories,
  ...races,
  ...agentAtWork,
  ...transcripts,
  ...bytes,
  ...damage,
  ...clocks,
].toSorted((a, b) => Number(a.goal.slice(1)) - Number(b.goal.slice(1)))

/** Removes the worlds that the parts share. */
export async function endParts(): Promise<void> {
  await endSharedWorld()
  await endRigs()
  await endSmallDisk()
}
