import { blobId, nameBytes, nameText } from '#disk'
import { openCommitFiles, type CommitFiles, type GitMove, type TreeEntry } from '#snapshots'
import { allGitMoves, type NotedMove, type Sighting } from '#store'
import { absent, type ContentId, type Value } from '#timeline'
import type { Project } from '../project/index.ts'
import type { GitChange } from './combine-links.ts'

/**
 * What git did to a path between two scans (sem.A8): when HEAD moved, the file changed from the old
 * commit's content to the new one's. A commit is no such move: the file already had that content.
 */
export function gitChangesIn(
  { store, path: root }: Project,
  use: (changes: (sighting: Sighting) => readonly GitChange[]) => void,
): void {
  const moves = Map.groupBy(
    allGitMoves(store).filter(({ move }) => movesFiles(move as GitMove)),
    ({ seen }) => seen,
  )
  using opened = new DisposableStack()
  const files = new Map<string, CommitFiles | null>()
  const filesOf = (top: string): CommitFiles | null => {
    if (!files.has(top)) {
      const found = openCommitFiles(top)
      files.set(top, found === null ? null : opened.use(found))
    }
    return files.get(top)!
  }
  use((sighting) =>
    (moves.get(sighting.at) ?? []).flatMap((noted) => {
      const { root: outside } = noted.move as MoveSomewhere
      const isThere = outside === undefined ? isProjectPath : isBelow(outside)
      const commits = isThere(sighting.path) ? filesOf(outside ?? root) : null
      const path = sighting.path.slice(outside === undefined ? 0 : outside.length + 1)
      return (commits && changeOf(commits, noted, sighting, path)) ?? []
    }),
  )
}

/** `root` is set for a move in a directory outside the project. */
export type MoveSomewhere = GitMove & { readonly root?: string }

const isProjectPath = (path: string): boolean => !path.startsWith('/')
const isBelow =
  (root: string) =>
  (path: string): boolean =>
    path.startsWith(`${root}/`)

export function gitEvidence(id: number): string {
  return `git ${id}`
}

/** Worktrees of a repository share its stashes. */
export function isOfStash(kind: GitMove['kind']): boolean {
  return kind === 'stash' || kind === 'unstash'
}

function movesFiles({ kind, old, new: next }: GitMove): boolean {
  return kind !== 'commit' && !isOfStash(kind) && old !== next
}

function changeOf(
  files: CommitFiles,
  { id, move, at }: NotedMove,
  sighting: Sighting,
  path: string,
): GitChange | null {
  const { old, new: next } = move as GitMove
  const [before, after] = [old, next].map((commit) => files.entryAt(commit, path))
  if (before === 'unreadable' || after === 'unreadable') return null
  if (before?.id === after?.id && before?.mode === after?.mode) return null
  const [from, to] = [before ?? null, after ?? null].map((entry) => valueOf(files, entry, sighting))
  if (!from || !to) return null
  const within = Math.min(Math.max(at, sighting.since), sighting.at)
  return { before: from, after: to, at: within, evidence: gitEvidence(id) }
}

/** Git only records whether a file is executable; the other mode bits come from the sighting. */
function valueOf(files: CommitFiles, entry: TreeEntry | null, sighting: Sighting): Value | null {
  if (entry === null) return absent
  const seen = [sighting.before, sighting.after].find((value) => isOf(value, entry))
  if (seen !== undefined) return seen
  const mode = entry.mode === '100755' ? 0o755 : 0o644
  if (entry.mode.startsWith('100')) return { kind: 'file', content: entry.id as ContentId, mode }
  if (entry.mode !== '120000') return null
  const target = files.readBlob(entry.id)
  return target === null ? null : { kind: 'symlink', target: nameText(target) }
}

function isOf(value: Value, { mode, id }: TreeEntry): boolean {
  if (value.kind === 'symlink') return mode === '120000' && blobId(nameBytes(value.target)) === id
  if (value.kind !== 'file' || value.content !== id) return false
  return (mode === '100755') === ((value.mode & 0o100) !== 0)
}
