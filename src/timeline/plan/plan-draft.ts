import {
  changesNothing,
  type FileChange,
  type Folded,
  type MoveConflictReason,
  type WritingChoice,
} from '../cell/index.ts'
import type { Choice, ConflictSides, ConflictView, MergeHow, PathChoice } from '../text/index.ts'
import { executes } from './plan-consent.ts'
import type { FileReason } from './plan-result.ts'
import { findCollisions } from './plan-tree.ts'
import type { CellChange, LatestMoveChange, PlanOptions, World } from './plan-world.ts'
import type { ProjectPath } from '../data/index.ts'

/** What an operation would like to do with paths that belong together. */
export interface Proposal {
  readonly before: readonly FileChange[]
  readonly attempt:
    | { readonly kind: 'folded'; readonly folded: Folded }
    | { readonly kind: 'conflict'; readonly reason: MoveConflictReason }
  readonly view: () => ConflictView
  readonly sides: (path: ProjectPath) => ConflictSides
  readonly settle: (choice: WritingChoice) => Folded | null
  readonly record: (folded: Folded) => Recorded
  readonly timesChanged: (path: ProjectPath) => number
  /** Outside edits go with it: to be asked, not refused (sem.V8). */
  readonly removesOutside: ReadonlySet<ProjectPath>
  /** It is about directories alone: no file is looked at or changed. */
  readonly isAboutDirectories?: true
}

export interface Recorded {
  readonly cells: readonly CellChange[]
  readonly latestMoves: readonly LatestMoveChange[]
}

/** A proposal after choices: what becomes of its paths. */
export type Draft = DraftBase &
  (
    | { readonly kind: 'write'; readonly folded: Folded }
    | { readonly kind: 'keep' }
    | {
        readonly kind: 'conflict'
        readonly reason: FileReason
        readonly view: ConflictView
        readonly with: readonly ProjectPath[]
      }
  )

interface DraftBase {
  readonly proposal: Proposal
  readonly files: readonly FileChange[]
  readonly chosen: Choice | null
  readonly how: readonly MergeHow[]
}

export function makeDraft(proposal: Proposal, options: PlanOptions): Draft {
  const { attempt } = proposal
  const choice = choiceFor(pathsIn(proposal), options)
  if (attempt.kind === 'conflict') {
    if (choice === 'keep-mine') return keepDraft(proposal)
    const settled = choice === 'stop' ? null : proposal.settle(choice)
    if (settled !== null)
      return writeDraft(proposal, settled, choice === 'stop' ? null : inOneWord(choice))
    return conflictDraft(proposal, { reason: attempt.reason, view: proposal.view(), with: [] })
  }
  const running = attempt.folded.files.some((file) => executes(file.path) && !changesNothing(file))
  if (running && choice === 'keep-mine') return keepDraft(proposal)
  if (running && choice !== 'put-back')
    return {
      ...conflictDraft(proposal, {
        reason: 'needs-consent',
        view: { choices: ['keep-mine', 'put-back'], regions: [], onlyWhitespace: false },
        with: [],
      }),
      // Consent is asked for what would be written, so that is what must be shown.
      files: attempt.folded.files,
    }
  return writeDraft(proposal, attempt.folded, running ? 'put-back' : null)
}

/**
 * The choice for paths that belong together. To leave things alone needs nobody's word; to write
 * what executes needs a word about that very path, never a general one, and never markers (S9).
 */
function choiceFor(paths: readonly ProjectPath[], options: PlanOptions): 'stop' | PathChoice {
  const own = paths.map((path) => options.choices?.get(path)).filter((each) => each !== undefined)
  if (own.includes('keep-mine')) return 'keep-mine'
  const choice = own[0] ?? options.onConflict ?? 'stop'
  const agreed = (path: ProjectPath) =>
    !executes(path) || (choice === 'put-back' && options.choices?.get(path) === 'put-back')
  return choice === 'keep-mine' || paths.every(agreed) ? choice : 'stop'
}

/** What a file with a choice for each place is reported as: one with markers needs a hand. */
function inOneWord(choice: WritingChoice): Choice {
  if (typeof choice === 'string') return choice
  return choice.includes('mark') ? 'mark' : 'put-back'
}

/** Drafts whose files could not all stand in one tree become conflicts, or are left out. */
export function keepWellFormed(
  drafts: readonly Draft[],
  world: World,
  options: PlanOptions,
): readonly Draft[] {
  let current = drafts
  for (;;) {
    const changes = current.flatMap((draft) => (draft.kind === 'write' ? draft.files : []))
    const collisions = findCollisions(world.present, changes, world.foldsNames)
    if (collisions.length === 0) return current
    // What is left out stays where it is, and can collide with what is still planned: so again.
    current = current.map((draft) => {
      const paths = pathsIn(draft.proposal)
      const own = collisions.filter(
        (each) => paths.includes(each.path) || paths.includes(each.with),
      )
      if (draft.kind !== 'write' || own.length === 0) return draft
      if (choiceFor(paths, options) === 'keep-mine') return keepDraft(draft.proposal)
      return conflictDraft(draft.proposal, {
        reason: own[0]!.reason,
        view: { choices: ['keep-mine'], regions: [], onlyWhitespace: false },
        with: own.flatMap((each) => [each.path, each.with]).filter((path) => !paths.includes(path)),
      })
    })
  }
}

export function pathsIn(proposal: Proposal): ProjectPath[] {
  return proposal.before.map(({ path }) => path)
}

function writeDraft(proposal: Proposal, folded: Folded, chosen: Choice | null): Draft {
  return { kind: 'write', proposal, folded, files: folded.files, chosen, how: folded.how }
}

function keepDraft(proposal: Proposal): Draft {
  return { kind: 'keep', proposal, files: proposal.before, chosen: 'keep-mine', how: [] }
}

function conflictDraft(
  proposal: Proposal,
  conflict: { reason: FileReason; view: ConflictView; with: readonly ProjectPath[] },
): Draft {
  const { reason, view } = conflict
  // Markers in a file that executes would break what they should explain.
  const choices = pathsIn(proposal).some(executes)
    ? view.choices.filter((choice) => choice !== 'mark')
    : view.choices
  return {
    kind: 'conflict',
    proposal,
    files: proposal.before,
    chosen: null,
    how: [],
    reason,
    view: { ...view, choices },
    with: conflict.with,
  }
}
