import { command, Failure, remedy } from '#failure'
import type { BranchReport, Crowd } from '#timeline'
import { branchRules, reportBranches, type BranchRules } from './branches.ts'
import { listSessions } from './list-sessions.ts'
import type { Machine } from '../ground/index.ts'
import type { ReadSession } from './read-session.ts'

const OFFERED = 5

/** Counts branches against the limit (B12). Archived ones do not count, so archiving makes room. */
export function crowdOf(
  branches: readonly BranchReport[],
  { branchWarning: warnFrom, branchLimit: most }: BranchRules,
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
 * Checks the limit before Retake makes a branch session. Both kinds of branches count, but a fork
 * that the agent makes in its own file cannot be refused.
 */
export function refuseNewBranch(machine: Machine, { tree, report }: ReadSession): void {
  const rules = branchRules(machine)
  const made = listSessions(machine, report.project).filter(
    ({ parent, archived }) => parent?.session === report.id && !archived,
  )
  const most = rules.branchLimit - made.length
  const { state, oldest } = crowdOf(reportBranches(tree, rules), { ...rules, branchLimit: most })
  if (state !== 'full') return
  const names = oldest.map(({ label }) => label)
  throw new Failure('too-many-branches', `The session has ${rules.branchLimit} branches already.`, {
    hint:
      names.length === 0
        ? remedy`${command('settings set', ['branchLimit', String(rules.branchLimit * 2)])} to allow more.`
        : remedy`${command('branch archive', names)} to archive the oldest.`,
  })
}
