import { command, Failure, remedy } from '#failure'
import { usableSettings, type Machine, type Settings } from '../ground/index.ts'
import { markOf, type Branch, type BranchReport, type Tree, shortId } from '#timeline'

/** The settings for branches, and the current time. */
export interface BranchRules extends Pick<
  Settings,
  'autoArchiveDays' | 'branchLimit' | 'branchWarning'
> {
  readonly now: number
}

const DAY = 24 * 60 * 60 * 1000

export function branchRules(machine: Machine): BranchRules {
  return { ...usableSettings(machine), now: machine.now().getTime() }
}

/** Branches that are not deleted. The current branch is always shown. */
export function shownBranches(tree: Tree): Branch[] {
  return tree.branches.filter(
    (branch) => branch === tree.current || !markOf(tree.marks, branch.id).deleted,
  )
}

export function reportBranches(tree: Tree, rules: BranchRules): BranchReport[] {
  return shownBranches(tree).map((branch) => {
    const { id, fork, tip } = branch
    const { name, canonical } = markOf(tree.marks, id)
    return {
      id,
      label: labelOf(tree, branch),
      name,
      fork,
      turns: branch.turns,
      tip,
      current: branch === tree.current,
      archived: isArchived(tree, branch, rules),
      canonical: canonical || (isTrunk(tree, branch) && !hasCanonical(tree)),
      at: tree.turns.get(tip)!.at,
    }
  })
}

export function isTrunk({ branches }: Tree, branch: Branch): boolean {
  return branch === branches[0]
}

export function hasCanonical(tree: Tree): boolean {
  return shownBranches(tree).some(({ id }) => markOf(tree.marks, id).canonical)
}

/** By the user's choice, else by age. The current branch is never archived. */
export function isArchived(tree: Tree, branch: Branch, rules: BranchRules): boolean {
  if (branch === tree.current) return false
  const { archived, canonical } = markOf(tree.marks, branch.id)
  if (archived !== null) return archived
  const since = Date.parse(tree.turns.get(branch.tip)!.at ?? '')
  if (rules.autoArchiveDays === null || Number.isNaN(since) || canonical) return false
  return rules.now - since > rules.autoArchiveDays * DAY
}

/** The trunk is `main` unless it has a name of its own. */
export function labelOf(tree: Tree, branch: Branch): string {
  const { name } = markOf(tree.marks, branch.id)
  return name ?? (isTrunk(tree, branch) ? 'main' : shortId(branch.id))
}

/** A branch by its name, its id or the first four or more characters of it. */
export function findBranch(tree: Tree, text: string): Branch {
  const shown = shownBranches(tree)
  const named = shown.find((branch) => labelOf(tree, branch) === text || branch.id === text)
  if (named !== undefined) return named
  const matching = text.length < 4 ? [] : shown.filter(({ id }) => id.startsWith(text))
  if (matching.length > 1)
    throw new Failure('branch-ambiguous', `${matching.length} branches begin with ${text}.`, {
      hint: 'Give more characters of the id.',
    })
  if (matching.length === 1) return matching[0]!
  throw new Failure('branch-not-found', `There is no branch ${text} in this session.`, {
    hint: remedy`${command('branches')} to list the branches.`,
  })
}
