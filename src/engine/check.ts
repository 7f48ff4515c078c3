import { checkStore, type CheckReport } from '#store'
import type { Project } from './open-project.ts'

/** Looks for damage in what Retake holds of a project; changes nothing. */
export function checkProject(
  { store }: Project,
  options: { readData: boolean },
): CheckReport & { readonly directory: string } {
  return { ...checkStore(store, options), directory: store.directory }
}
