import type { BranchesView } from '#protocol'
import { keys, queries, useBranches } from '../connection/queries.ts'
import { brief } from '../words.ts'

type Branch = BranchesView['branches'][number]

/** What people call a branch: its name, or the prompt where it parts. People do not know its id. */
export function branchName(branch: Branch, most = 32): string {
  const { name, label, fork, prompt, promptApart } = branch
  // Only a beginning that nothing parts from is the main line to everybody.
  const isAlone = fork === null && promptApart === prompt
  return name ?? (isAlone ? label : brief(promptApart, most))
}

/** The branches worth a line in a list, the one in use first; the others are tries at a turn. */
export function sortBranches(branches: readonly Branch[]): {
  listed: readonly Branch[]
  retries: readonly Branch[]
} {
  return {
    listed: branches
      .filter(({ retry }) => !retry)
      .toSorted((a, b) => Number(b.current) - Number(a.current)),
    retries: branches.filter(({ retry }) => retry),
  }
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

/** The branch in use, where there are others worth a name or it has one itself. */
export function useBranchHere(session: string): string | null {
  const { listed } = sortBranches(useBranches(session).data?.branches ?? [])
  const here = listed.find(({ current }) => current)
  return here === undefined || (listed.length < 2 && here.name === null) ? null : branchName(here)
}
