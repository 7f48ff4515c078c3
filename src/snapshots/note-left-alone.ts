import { kindOf, type RowEntry, type ScanStat } from '#disk'
import { absent, type ProjectPath } from '#timeline'
import { join, millis, note, NOTHING, type Comparison } from './comparison.ts'
import { valueOf } from './entry-value.ts'
import { isReserved } from './scope.ts'

/**
 * Records that an ignored directory or a `.git` appeared, disappeared or changed, as far as one
 * stat shows: the times of a directory change with its names, not with the contents of its files.
 */
export function noteLeftAlone(
  c: Comparison,
  {
    directory,
    name,
    stat,
    origin,
  }: {
    readonly directory: string
    readonly name: string
    readonly stat: ScanStat
    readonly origin: 'known' | 'created' | 'entered'
  },
): void {
  const next = entryOf(c, name, stat)
  // Inside an ignored directory, only that directory itself is reported.
  if (next === null || c.draft.open(directory)!.self.isPartial) return
  const path = join(directory, name)
  const entry = c.draft.open(directory)!.entries.get(name)
  const isNew =
    entry === undefined && (origin === 'created' || (origin === 'known' && c.sawIgnored))
  c.draft.set(directory, name, next)
  if (isNew) note(c, path, absent, valueOf(next), stat.ctimeNs)
  else if (isTouched(entry, next))
    c.found.changed.set(path as ProjectPath, {
      before: valueOf(entry!),
      after: valueOf(next),
      changedAt: millis(stat.ctimeNs),
    })
}

/** Records that an ignored directory, entered for single paths, gained or lost a name. */
export function noteIgnored(c: Comparison, path: string, stat: ScanStat): void {
  c.found.changed.set(path as ProjectPath, {
    before: valueOf(IGNORED),
    after: valueOf(IGNORED),
    changedAt: millis(stat.ctimeNs),
  })
}

const IGNORED: RowEntry = { ...NOTHING, kind: 'left-out', mode: 0, text: 'ignored' }

function entryOf(c: Comparison, name: string, stat: ScanStat): RowEntry | null {
  // Git writes to its directory constantly, so only its existence counts.
  if (name === '.git')
    return { ...NOTHING, kind: 'left-out', mode: 0, text: 'repository', isDoubtful: true }
  if (kindOf(stat) !== 'directory' || isReserved(name)) return null
  return {
    kind: 'left-out',
    mode: Number(stat.mode),
    size: stat.size,
    modified: stat.mtimeNs,
    changed: stat.ctimeNs,
    inode: stat.ino,
    id: '',
    text: 'ignored',
    isDoubtful: stat.ctimeNs >= c.racyFrom,
  }
}

function isTouched(entry: RowEntry | undefined, next: RowEntry): boolean {
  if (entry?.kind !== 'left-out' || entry.text !== 'ignored' || next.text !== 'ignored')
    return false
  return entry.inode !== next.inode || entry.modified !== next.modified
}
