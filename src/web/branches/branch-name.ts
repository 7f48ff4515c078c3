import type { BranchesView } from '#protocol'
import { useBranches } from '../connection/queries.ts'
import { brief } from '../words.ts'

type Branch = BranchesView['branches'][number]

/** What people call a branch: its name, or what it began with. An id tells nobody anything. */
export function branchName(branch: Branch, most = 32): string {
  return branch.name ?? (branch.fork === null ? branch.label : brief(branch.prompt, most))
}

/** The branch that the session is on, where there are several. */
export function useBranchHere(session: string): string | null {
  const branches = useBranches(session).data?.branches ?? []
  const here = branches.find(({ current }) => current)
  return here === undefined || branches.length < 2 ? null : branchName(here)
}
