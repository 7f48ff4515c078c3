import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { durableDisk } from '#disk'
import { listProjects } from '#store'
import type { Played } from '../operations/played.ts'

/** Moves all recorded times this many days into the past. */
export function makeOlder({ s }: Pick<Played, 's'>, days: number): void {
  const data = join(s.env['XDG_DATA_HOME']!, 'retake')
  const [project] = listProjects(durableDisk, data)
  using database = new DatabaseSync(join(data, 'projects', project!.key, 'store.db'))
  const by = days * 24 * 60 * 60 * 1000
  for (const column of ['operation set at = at', 'link set at = at', 'content set aside = aside'])
    database.exec(`update ${column} - ${by}`)
}
