import { cellsOfTurn, linksOfAuthor, type LinkAuthor, type StoredLink } from '#store'
import { absent, sameValue, type FileReport, type TurnId, type Value } from '#timeline'
import type { Project } from '../project/index.ts'
import { isOfHooks } from './explain-writes.ts'

/** A turn's change of a path that the agent did not record. */
export interface UnrecordedChange extends Pick<FileReport, 'path' | 'change' | 'by' | 'from'> {
  readonly before: Value
  readonly after: Value
  readonly isDirectory?: true
}

/** One change per path: from before the turn's first command that touched it to after its last. */
export function unrecordedChanges({ store }: Project, turn: TurnId): UnrecordedChange[] {
  const links = (['turn', 'shared', 'unsure'] as const).flatMap((kind) =>
    linksOfAuthor(store, { kind, id: turn }).filter(
      ({ evidence }) => kind !== 'turn' || evidence.startsWith('shell ') || isOfHooks(evidence),
    ),
  )
  const inOrder = links.toSorted((a, b) => a.seq - b.seq)
  const files = foldLinks(inOrder, ({ kind }) => (kind === 'turn' ? 'shell' : (kind as 'unsure')))
  return [...files, ...directoriesOf({ store }, turn, files)].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  )
}

/** One change per path: from before its first link to after its last. */
export function foldLinks(
  links: readonly StoredLink[],
  byWhom: (author: LinkAuthor) => FileReport['by'],
): UnrecordedChange[] {
  const found = new Map<
    string,
    { from?: string; before: Value; after: Value; by: FileReport['by'] }
  >()
  for (const { path, from, before, after, author } of links) {
    const earlier = found.get(from ?? path)
    if (from !== null) found.delete(from)
    // A file that was created within these links has no earlier path.
    const origin = earlier?.before.kind === 'absent' ? undefined : (earlier?.from ?? from)
    found.set(path, {
      ...(origin === null || origin === undefined || origin === path ? {} : { from: origin }),
      before: earlier?.before ?? before,
      after,
      // A change is only as certain as its most doubtful part.
      by: isDoubtful(earlier?.by) ? earlier!.by : byWhom(author),
    })
  }
  return [...found].flatMap(([path, change]): UnrecordedChange[] => {
    const isSame = change.from === undefined && sameValue(change.before, change.after)
    return isSame ? [] : [{ path, ...change, change: changeOf(change) }]
  })
}

function isDoubtful(by: FileReport['by'] | undefined): boolean {
  return by === 'unsure' || by === 'shared'
}

/** Empty directories that the turn made or removed. Others already show through their files. */
function directoriesOf(
  { store }: Pick<Project, 'store'>,
  turn: TurnId,
  files: readonly UnrecordedChange[],
): UnrecordedChange[] {
  const cells = cellsOfTurn(store, turn).map(({ cell }) => cell)
  const known = [
    ...files.flatMap(({ path, from }) => [path, from]),
    ...cells.map(({ path }) => path),
  ]
  return cells.flatMap(({ path, directory, doubt }): UnrecordedChange[] => {
    if (directory === undefined || known.some((each) => each?.startsWith(`${path}/`))) return []
    return [
      {
        path: `${path}/`,
        change: directory.change === 'made' ? 'created' : 'deleted',
        by: doubt ?? 'shell',
        before: absent,
        after: absent,
        isDirectory: true,
      },
    ]
  })
}

function changeOf({
  from,
  before,
  after,
}: {
  from?: string
  before: Value
  after: Value
}): FileReport['change'] {
  if (from !== undefined) return 'renamed'
  if (before.kind === 'absent') return 'created'
  if (after.kind === 'absent') return 'deleted'
  const sameContent =
    before.kind === 'file' && after.kind === 'file' && before.content === after.content
  return sameContent ? 'mode' : 'modified'
}
