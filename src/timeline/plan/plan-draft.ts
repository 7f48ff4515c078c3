import {
  changesNothing,
  type FileChange,
  type Folded,
  type MoveConflictReason,
  type WritingChoice,
} from '../cell/index.ts'
import type { Choice, ConflictSides, ConflictView, MergeKind, PathChoice } from '../text/index.ts'
import { executes } from './plan-consent.ts'
import type { FileReason } from './plan-result.ts'
import { findCollisions } from './plan-tree.ts'
import type { CellChange, LatestMoveChange, PlanOptions, World } from './plan-world.ts'
import type { ProjectPath } from '../data/index.ts'

/** What an operation would do with paths that belong together. */
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
  /** Paths at which outside edits would be lost. The user is asked (sem.V8). */
  readonly removesOutside: ReadonlySet<ProjectPath>
  /** It only concerns directories: no file is read or changed. */
  readonly isAboutDirectories?: true
}

export interface Recorded {
  readonly cells: readonly CellChange[]
  readonly latestMoves: readonly LatestMoveChange[]
}

/** A proposal with the choices applied. */
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
  readonly how: readonly MergeKind[]
}

export function makeDraft(proposal: Proposal, options: PlanOptions): Draft {
  const { attempt } = proposal
  const choice = choiceFor(pathsIn(proposal), options)
  if (attempt.kind === 'conflict') {
    if (choice === 'keep-mine') return keepDraft(proposal)
    const settled = choice === 'stop' ? null : proposal.settle(choice)
    if (settled !== null)
      return writeDraft(proposal, settled, choice === 'stop' ? null : summarizeChoice(choice))
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
      // The user consents to what would be written, so show exactly that.
      files: attempt.folded.files,
    }
  return writeDraft(proposal, attempt.folded, running ? 'put-back' : null)
}

/**
 * The choice for paths that belong together. Leaving them alone needs no consent. Writing a file
 * that executes needs a choice for that path, not a general one, and never markers (S9).
 */
function choiceFor(paths: readonly ProjectPath[], options: PlanOptions): 'stop' | PathChoice {
  const own = paths.map((path) => options.choices?.get(path)).filter((each) => each !== undefined)
  if (own.includes('keep-mine')) return 'keep-mine'
  const choice = own[0] ?? options.onConflict ?? 'stop'
  const agreed = (path: ProjectPath) =>
    !executes(path) || (choice === 'put-back' && options.choices?.get(path) === 'put-back')
  return choice === 'keep-mine' || paths.every(agreed) ? choice : 'stop'
}

/**
 * The choice to report for a file with one choice per place. If any place is marked, it is `mark`,
 * because the user must edit the file.
 */
function summarizeChoice(choice: WritingChoice): Choice {
  if (typeof choice === 'string') return choice
  return choice.includes('mark') ? 'mark' : 'put-back'
}

/** Turns drafts that cannot coexist in one tree into conflicts, or leaves them out. */
export function keepWellFormed(
  drafts: readonly Draft[],
  world: World,
  options: PlanOptions,
): readonly Draft[] {
  let current = drafts
  for (;;) {
    const changes = current.flatMap((draft) => (draft.kind === 'write' ? draft.files : []))
    const collisions = findCollisions(world.present, changes, world.folding)
    if (collisions.length === 0) return current
    // Paths that are left out may collide with planned ones, so check again.
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
  // Markers would break a file that executes.
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
