import { changesNothing, type FileChange } from '../cell/index.ts'
import type { Contents } from '../data/index.ts'
import { countLines, type ConflictSides } from '../text/index.ts'
import type { Draft } from './plan-draft.ts'
import type { FilePlan, FileReason, FileVerb } from './plan-result.ts'

export function describeFiles(drafts: readonly Draft[], contents: Contents): FilePlan[] {
  return drafts
    .filter(({ proposal }) => proposal.isAboutDirectories !== true)
    .flatMap((draft) => draft.files.map((file) => describeFile(draft, file, contents)))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

function describeFile(draft: Draft, file: FileChange, contents: Contents): FilePlan {
  const conflict = draft.kind === 'conflict' ? draft : null
  return {
    ...file,
    ...countLines(contents, file.pre, file.post),
    verb: verbOf(draft, file),
    timesChanged: draft.proposal.timesChanged(file.path),
    why: reasonOf(draft, file),
    chosen: draft.chosen,
    choices: conflict?.view.choices ?? [],
    proposed: conflict?.view.onlyWhitespace === true ? 'put-back' : null,
    regions: conflict?.view.regions ?? [],
    sides: conflict === null ? null : sidesOf(conflict, file),
    with: conflict === null ? [] : othersOf(conflict, file),
  }
}

function verbOf(draft: Draft, file: FileChange): FileVerb {
  if (draft.kind === 'conflict') return 'conflict'
  if (draft.kind === 'keep' || changesNothing(file)) return 'skip'
  if (file.post.kind === 'absent') return 'delete'
  if (file.pre.kind === 'absent') return 'create'
  return draft.chosen === 'mark' || draft.how.includes('merge') ? 'merge' : 'restore'
}

function reasonOf(draft: Draft, file: FileChange): FileReason | null {
  if (draft.kind === 'conflict') return draft.reason
  if (draft.kind === 'keep') return 'kept-mine'
  if (changesNothing(file)) return 'already-so'
  return draft.proposal.removesOutside.has(file.path) ? 'removes-outside-edits' : null
}

type Conflict = Extract<Draft, { kind: 'conflict' }>

/** If the conflict has another reason than the merge, shows the merged result as `theirs`. */
function sidesOf({ proposal }: Conflict, { path, pre }: FileChange): ConflictSides {
  const sides = proposal.sides(path)
  if (proposal.attempt.kind === 'conflict') return sides
  const { files } = proposal.attempt.folded
  const post = files.find((file) => file.path === path)?.post ?? sides.theirs
  return { base: null, ours: pre, theirs: post, way: sides.way }
}

function othersOf(conflict: Conflict, file: FileChange) {
  const paths = [...conflict.files.map(({ path }) => path), ...conflict.with]
  return [...new Set(paths)].filter((path) => path !== file.path)
}
