import type { StorageReport } from '#timeline'

export interface StorageView extends Omit<StorageReport, 'projects'> {
  schema: 'retake.storage/1'
  projects: StorageReport['projects'][number][]
}

export function storageView({ projects, ...rest }: StorageReport): StorageView {
  return { schema: 'retake.storage/1', ...rest, projects: [...projects] }
}
