import type { BranchesView } from '#protocol'
import { keys, queries, useBranches } from '../connection/queries.ts'
import { brief } from '../words.ts'

type Branch = BranchesView['branches'][number]

/** A branch's name, else the prompt at which it diverges. Users do not know branch ids. */
export function branchName(branch: Branch, most = 32): string {
  const { name, label, fork, prompt, promptApart } = branch
  // Only a trunk without forks is called `main`; otherwise its prompt tells it apart.
  const isAlone = fork === null && promptApart === prompt
  return name ?? (isAlone ? label : brief(promptApart, most))
}

/** `listed` get a row of their own, the current one first; `retries` are the tries. */
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

/** Labels the branches of a plan or receipt with the names that the page shows, not with ids. */
export function withBranchNames<
  PlanNotes extends { session: string; branches?: Named[] | undefined },
>(said: PlanNotes): PlanNotes {
  if (said.branches === undefined) return said
  const known = queries.getQueryData<BranchesView>(keys.branches(said.session))?.branches ?? []
  const branches = said.branches.map((each) => {
    const branch = known.find(({ id }) => id === each.id)
    return branch === undefined ? each : { ...each, label: branchName(branch) }
  })
  return { ...said, branches }
}

type Named = { id: string; label: string }

/** The current branch's name. Null for a try, and for an unnamed branch without others. */
export function useBranchHere(session: string): string | null {
  const { listed } = sortBranches(useBranches(session).data?.branches ?? [])
  const here = listed.find(({ current }) => current)
  return here === undefined || (listed.length < 2 && here.name === null) ? null : branchName(here)
}
