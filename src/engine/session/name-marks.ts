import { command, Failure, remedy } from '#failure'
import { checkName, type BadName, type FactChange, type Tree } from '#timeline'
import { labelOf, shownBranches } from './branches.ts'
import { branchFact, checkpointFact } from './session-marks.ts'

const WHY: Record<BadName, string> = {
  empty: 'It is empty.',
  'too-long': 'It is longer than 80 characters.',
  unprintable: 'It starts or ends with a space, or has invisible characters.',
  number: 'A number means a turn.',
  'like-an-id': 'It could be the start of an id. Add another letter.',
  sign: 'It starts with `-`, or contains `:` or `..`, which have other meanings.',
}

/** Refuses names that look like numbers or ids, and names already used in the session. */
export function checkFree(tree: Tree, name: string): void {
  const bad = checkName(name)
  if (bad !== null)
    throw new Failure('name-not-possible', `“${name}” cannot be a name.`, { hint: WHY[bad] })
  if (takenNames(tree).has(name))
    throw new Failure('name-taken', `“${name}” is already used in this session.`, {
      hint: remedy`${command('branches')} and ${command('checkpoints')} to see all names.`,
    })
}

/** `point-1`, or the next free one. */
export function freeName(tree: Tree): string {
  const taken = takenNames(tree)
  for (let n = 1; ; n++) if (!taken.has(`point-${n}`)) return `point-${n}`
}

function takenNames(tree: Tree): Set<string> {
  return new Set([
    ...shownBranches(tree).map((branch) => labelOf(tree, branch)),
    ...tree.marks.checkpoints.map(({ name }) => name),
  ])
}

/** Undoing an operation can bring back a name that something else took meanwhile. */
export function refuseTakenNames(tree: Tree, facts: readonly FactChange[]): void {
  const changed = new Set(facts.map(({ name }) => name))
  const others = new Set([
    ...shownBranches(tree)
      .filter(({ id }) => !changed.has(branchFact(id)))
      .map((branch) => labelOf(tree, branch)),
    ...tree.marks.checkpoints
      .map(({ name }) => name)
      .filter((name) => !changed.has(checkpointFact(name))),
  ])
  for (const { name: fact, after } of facts) {
    const checkpoint = checkpointFact('')
    const name = fact.startsWith(checkpoint)
      ? fact.slice(checkpoint.length)
      : (after as { name?: string | null } | null)?.name
    if (after !== null && name !== undefined && name !== null && others.has(name))
      throw new Failure('name-taken', `“${name}” is now used for something else.`, {
        hint: 'Rename that first.',
      })
  }
}
