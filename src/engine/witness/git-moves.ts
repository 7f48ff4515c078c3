import { readStashes, type GitMove } from '#snapshots'
import { allGitMoves, linksOfAuthor, shellStepsSince, type NotedMove, type ShellStep } from '#store'
import type { GitReport, TurnId } from '#timeline'
import { gitEvidence, type MoveSomewhere } from './git-changes.ts'
import type { Project } from '../project/index.ts'
import { toolOf } from './reported-steps.ts'

/** Git's timestamps are whole seconds. */
const SECOND = 1000

/** What each turn's commands did to git, with the command that undoes it (sem.O5). */
export function gitMovesByTurn({ store, path }: Project): Map<TurnId, GitReport[]> {
  const found = new Map<TurnId, SeenMove[]>()
  const moves = allGitMoves(store)
  if (moves.length === 0) return new Map()
  const steps = ranOf(shellStepsSince(store, Math.min(...moves.map(({ since }) => since))))
  const changed = Map.groupBy(
    linksOfAuthor(store, { kind: 'git', id: null }),
    ({ evidence }) => evidence,
  )
  for (const { id, at, since, seen, move } of moves) {
    // Git's time can be overridden. If it is not between the scans, only the scans count.
    const isTold = at + SECOND >= since && at <= seen
    // A user's checkout may share the step's second, but it comes after the scan that followed the
    // step.
    const [from, to] = isTold ? [Math.max(at, since), Math.min(at + SECOND, seen)] : [since, seen]
    const turns = new Set(
      steps
        .filter(({ began, ended }) => began <= to && ended >= from)
        .flatMap(({ turn }) => turn ?? []),
    )
    const [turn] = turns
    if (turn === undefined || turns.size > 1) continue
    const files = new Set((changed.get(gitEvidence(id)) ?? []).map(({ path }) => path))
    found.set(turn, joinRebase(found.get(turn) ?? [], { move: move as MoveSomewhere, files }))
  }
  return new Map(
    [...found].map(([turn, seen]) => [
      turn,
      seen.flatMap(({ move, files }) =>
        isIdle(move) || isBack(move, seen, path) ? [] : [reportOf(path, move, files.size)],
      ),
    ]),
  )
}

/** Without the time before a step in which its hook scanned: what that scan saw came earlier. */
function ranOf(steps: readonly ShellStep[]): ShellStep[] {
  const parts = steps.map((step) => ({ step, ...toolOf(step.tool) }))
  const ran = new Set(parts.flatMap(({ tool, part }) => (part === 'whole' ? [tool] : [])))
  return parts.flatMap(({ step, tool, part }) =>
    part === 'asked' || ((part === 'cut' || part === 'stopped') && ran.has(tool)) ? [] : [step],
  )
}

interface SeenMove {
  readonly move: MoveSomewhere
  readonly files: ReadonlySet<string>
}

/** Git logs each part of a rebase. Only the command for the first part undoes all of it. */
function joinRebase(earlier: readonly SeenMove[], { move, files }: SeenMove): SeenMove[] {
  const command = /^(.*\brebase\b.*) \((?<part>\w+)\)$/u.exec(move.command)
  if (command === null) return [...earlier, { move, files }]
  const joined = { ...move, kind: 'other' as const, command: command[1]! }
  const last = earlier.at(-1)
  const isNext =
    command.groups!['part'] !== 'start' &&
    last?.move.new === move.old &&
    last.move.root === move.root &&
    last.move.command === joined.command
  if (!isNext) return [...earlier, { move: joined, files }]
  const both = {
    move: { ...joined, old: last.move.old },
    files: new Set([...last.files, ...files]),
  }
  return [...earlier.slice(0, -1), both]
}

/**
 * The git branch at a prompt. The agent records it from a cache that lags behind a checkout, so a
 * checkout that a scan saw before the prompt takes precedence.
 */
export function branchAtPrompt(
  moves: readonly NotedMove[],
  recorded: string | null,
  at: number,
): string | null {
  const checkouts = moves.filter(({ move }) => {
    const { kind, root } = move as MoveSomewhere
    return kind === 'checkout' && root === undefined
  })
  const last = checkouts.findLast(({ seen }) => seen <= at)?.move as GitMove | undefined
  return recorded !== null && last?.from === recorded ? (last.to ?? recorded) : recorded
}

/** For example the reset of `git stash`, and an aborted rebase: there is nothing to undo. */
function isIdle({ kind, old, new: next }: GitMove): boolean {
  return (kind === 'reset' || kind === 'other') && old === next
}

/** The turn took a stash that is there again, or that the turn itself made, which is named. */
function isBack(
  { kind, old, root }: MoveSomewhere,
  seen: readonly SeenMove[],
  project: string,
): boolean {
  if (kind !== 'unstash') return false
  const isOwn = seen.some(({ move }) => move.kind === 'stash' && move.new === old)
  return isOwn || readStashes(root ?? project).includes(old)
}

function reportOf(project: string, move: MoveSomewhere, files: number): GitReport {
  const report = reportHere(move, files, () => readStashes(move.root ?? project))
  if (move.root === undefined) return report
  const { to: _, ...there } = report
  const git = `git -C ${quoteWord(move.root)}`
  const said = (words: string): string => words.replace(/^git/u, () => git)
  return { ...there, did: said(there.did), undo: said(there.undo) }
}

/** Quotes the word for the shell, if needed. */
function quoteWord(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`
}

function reportHere(move: GitMove, files: number, stashes: () => string[]): GitReport {
  const { kind, command, old, new: next, from = '', to = '', subject = '' } = move
  const [before, after] = [old.slice(0, 7), next.slice(0, 7)]
  const back = `git reset --keep ${before}`
  switch (kind) {
    case 'checkout':
      return { kind, did: `git checkout ${from} → ${to}`, files, undo: `git checkout ${from}`, to }
    case 'commit':
      return {
        kind,
        did: `git ${command} ${after} “${subject}”`,
        files,
        undo: `git reset --soft ${before}`,
      }
    case 'reset':
      return { kind, did: `git reset ${before} → ${after}`, files, undo: back }
    case 'stash':
      return { kind, did: `git stash “${subject}”`, files, undo: popOf(stashes().indexOf(next)) }
    case 'unstash':
      return {
        kind: 'stash',
        did: `git stash pop or drop of ${before}`,
        files,
        undo: `git stash store ${before}`,
      }
    case 'other':
      return { kind, did: `git ${command}`, files, undo: back }
  }
}

/** Empty if the stash was popped or dropped since: then nothing of it is left to undo. */
function popOf(place: number): string {
  if (place < 0) return ''
  return place === 0 ? 'git stash pop' : `git stash pop stash@{${place}}`
}
