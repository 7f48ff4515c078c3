import type { PlantedBug } from '../bug.ts'
import { agentsBugs } from './agents.ts'
import { diskBugs } from './disk.ts'
import { engineBugs } from './engine.ts'
import { journalBugs } from './journal.ts'
import { serverBugs } from './server.ts'
import { snapshotsBugs } from './snapshots.ts'
import { storeBugs } from './store.ts'
import { surfacesBugs } from './surfaces.ts'
import { timelineBugs } from './timeline.ts'

/** Every planted bug, from the disk up. */
export const bugs: readonly PlantedBug[] = [
  ...diskBugs,
  ...journalBugs,
  ...storeBugs,
  ...agentsBugs,
  ...snapshotsBugs,
  ...timelineBugs,
  ...engineBugs,
  ...serverBugs,
  ...surfacesBugs,
]
