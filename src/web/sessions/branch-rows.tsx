import { Link } from '@tanstack/react-router'
import { Crown, GitBranch } from 'lucide-react'
import { useState } from 'react'
import type { BranchesView } from '#protocol'
import { branchName, sortBranches } from '../branches/branch-name.ts'
import { Chevron } from '../ui/fold-button.tsx'
import { count } from '../words.ts'
import { indent } from './session-row.tsx'

type Branch = BranchesView['branches'][number]

interface BranchRowsProps {
  readonly session: string
  readonly level: number
  readonly branches: readonly Branch[]
}

/** The branches of one session, the current one first; tries are folded. */
export function BranchRows({ session, level, branches }: BranchRowsProps) {
  const [open, setOpen] = useState(false)
  const { listed, retries } = sortBranches(branches)
  const row = (branch: Branch, at = level) => (
    <BranchRow key={branch.id} session={session} level={at} branch={branch} />
  )
  return (
    <>
      {listed.length > 1 && listed.map((branch) => row(branch))}
      {retries.length > 0 && (
        <div
          role="treeitem"
          aria-level={level}
          aria-selected={false}
          aria-expanded={open}
          className="flex rounded-md pr-2 hover:bg-hover"
          style={{ paddingLeft: indent(level) }}
        >
          <button
            type="button"
            data-session-link
            data-toggle
            tabIndex={-1}
            onClick={() => setOpen(!open)}
            className="flex min-w-0 flex-1 items-center gap-1 rounded py-1 text-xs text-muted"
          >
            <Chevron open={open} />
            {count(retries.length, 'other try', 'other tries')}
          </button>
        </div>
      )}
      {open && retries.map((branch) => row(branch, level + 1))}
    </>
  )
}

function BranchRow({ session, level, branch }: { session: string; level: number; branch: Branch }) {
  const { id, tip, fork, current, canonical, retry, archived, length } = branch
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-selected={false}
      className="flex items-start rounded-md pr-2 hover:bg-hover"
      style={{ paddingLeft: indent(level) }}
    >
      <span className="flex w-4.25 justify-center pt-2">
        <GitBranch size={11} aria-hidden className="text-faint" />
      </span>
      <Link
        to="/s/$session"
        params={{ session }}
        search={current ? {} : { turn: fork === null ? tip : id }}
        data-session-link
        tabIndex={-1}
        className="flex min-w-0 flex-1 items-center gap-1.5 rounded py-1 text-xs"
      >
        <span
          dir="auto"
          className={`min-w-0 flex-1 truncate ${archived ? 'text-muted line-through' : ''} ${current ? 'font-medium' : ''}`}
        >
          {branchName(branch)}
        </span>
        {canonical && !retry && (
          <Crown size={11} role="img" aria-label="the main branch" className="text-accent" />
        )}
        <span className="tabular shrink-0 text-2xs text-muted">
          {archived ? 'archived' : current ? 'here' : count(length, 'turn')}
        </span>
      </Link>
    </div>
  )
}
