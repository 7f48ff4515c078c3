import { Failure } from '#failure'
import type { BranchReport, Crowd } from '#timeline'
import { branchCare, reportBranches, type BranchCare } from './branches.ts'
import type { Machine } from './machine.ts'
import type { ReadSession } from './read-session.ts'

const OFFERED = 5

/** Branches against the limit (B12). Archived ones do not count: archiving is the way out. */
export function crowdOf(
  branches: readonly BranchReport[],
  { branchWarning: warnFrom, branchLimit: most }: BranchCare,
): Crowd {
  const open = branches.filter(({ archived }) => !archived)
  const state = open.length >= most ? 'full' : open.length >= warnFrom ? 'many' : 'fine'
  const oldest =
    state === 'full'
      ? open
          .filter(({ current, canonical }) => !current && !canonical)
          .sort((a, b) => ((a.at ?? '') < (b.at ?? '') ? -1 : 1))
          .slice(0, OFFERED)
          .map(({ id, label }) => ({ id, label }))
      : []
  return { open: open.length, warnFrom, most, state, oldest }
}

/**
 * For whatever makes a branch. A fork that the agent makes in its own file cannot be refused, so
 * the limit holds for what Retake creates.
 */
export function refuseNewBranch(machine: Machine, { tree }: ReadSession): void {
  const care = branchCare(machine)
  const { state, most, open, oldest } = crowdOf(reportBranches(tree, care), care)
  if (state !== 'full') return
  throw new Failure(
    'too-many-branches',
    `The session has ${open} branches; ${most} is the limit.`,
    {
      hint: `Fold some away: \`retake branch archive ${oldest.map(({ label }) => quoted(label)).join(' ')}\``,
    },
  )
}

function quoted(label: string): string {
  return /^[\w-]+$/.test(label) ? label : `"${label.replaceAll(/["\\$`]/g, String.raw`\$&`)}"`
}
