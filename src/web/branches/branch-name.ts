import type { BranchesView } from '#protocol'
import { keys, queries, useBranches } from '../connection/queries.ts'
import { brief } from '../words.ts'

type Branch = BranchesView['branches'][number]

/** What people call a branch: its name, or what it began with. An id tells nobody anything. */
export function branchName(branch: Branch, most = 32): string {
  return branch.name ?? (branch.fork === null ? branch.label : brief(branch.prompt, most))
}

/** A plan or a receipt with its branches called as the page calls them; ids tell nobody anything. */
export function withBranchNames<Said extends { session: string; branches?: Named[] | undefined }>(
  said: Said,
): Said {
  if (said.branches === undefined) return said
  const known = queries.getQueryData<BranchesView>(keys.branches(said.session))?.branches ?? []
  const branches = said.branches.map((each) => {
    const branch = known.find(({ id }) => id === each.id)
    return branch === undefined ? each : { ...each, label: branchName(branch) }
  })
  return { ...said, branches }
}

type Named = { id: string; label: string }

/** The branch that the session is on, where there are several. */
export function useBranchHere(session: string): string | null {
  const branches = useBranches(session).data?.branches ?? []
  const here = branches.find(({ current }) => current)
  return here === undefined || branches.length < 2 ? null : branchName(here)
}
