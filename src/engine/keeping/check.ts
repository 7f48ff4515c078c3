import { durableDisk } from '#disk'
import { Failure } from '#failure'
import {
  checkStore,
  checkVault,
  checkVaultRecords,
  findVault,
  type CheckReport,
  type VaultProblem,
} from '#store'
import type { Machine } from '../ground/index.ts'
import type { Project } from '../project/index.ts'

export interface ProjectCheck extends CheckReport {
  readonly directory: string
  /** What is wrong with the copies of transcripts; they are the machine's, not the project's. */
  readonly transcripts: readonly VaultProblem[]
  readonly vault: readonly string[]
}

/** Looks for damage in what Retake holds of a project; changes nothing. */
export function checkProject(
  machine: Machine,
  { store }: Project,
  options: { readData: boolean },
): ProjectCheck {
  return {
    ...checkStore(store, options),
    ...checkTranscripts(machine, options),
    directory: store.directory,
  }
}

function checkTranscripts(
  { places }: Machine,
  { readData }: { readData: boolean },
): Pick<ProjectCheck, 'transcripts' | 'vault'> {
  if (!readData) return { transcripts: [], vault: [] }
  try {
    using vault = findVault({ data: places.data, disk: durableDisk })
    if (vault === null) return { transcripts: [], vault: [] }
    const wrong = checkVaultRecords(vault)
    return { transcripts: checkVault(vault).problems, vault: wrong }
  } catch (error) {
    if (error instanceof Failure) return { transcripts: [], vault: [error.message] }
    throw error
  }
}
