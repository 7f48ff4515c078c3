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
  /** Problems in the copies of transcripts, which belong to the machine, not to the project. */
  readonly transcripts: readonly VaultProblem[]
  readonly vault: readonly string[]
}

/** Checks what Retake stores of a project for damage; changes nothing. */
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
  { places, disk }: Machine,
  { readData }: { readData: boolean },
): Pick<ProjectCheck, 'transcripts' | 'vault'> {
  if (!readData) return { transcripts: [], vault: [] }
  try {
    using vault = findVault({ data: places.data, disk })
    if (vault === null) return { transcripts: [], vault: [] }
    if (vault.readOnly !== null) throw vault.readOnly
    const wrong = checkVaultRecords(vault)
    return { transcripts: checkVault(vault).problems, vault: wrong }
  } catch (error) {
    if (error instanceof Failure) return { transcripts: [], vault: [error.message] }
    throw error
  }
}
