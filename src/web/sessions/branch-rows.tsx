import { Link } from '@tanstack/react-router'
import { Crown, GitBranch } from 'lucide-react'
import type { BranchesView } from '#protocol'
import { branchName } from '../branches/branch-name.ts'
import { count } from '../words.ts'
import { indent } from './session-row.tsx'

interface BranchRowsProps {
  readonly session: string
  readonly level: number
  readonly branches: BranchesView['branches']
}

/** The lines inside one session: which is the main one, and which one it stands on. */
export function BranchRows({ session, level, branches }: BranchRowsProps) {
  // The line in use is what people look for.
  const order = branches.toSorted((a, b) => Number(b.current) - Number(a.current))
  return order.map((branch) => {
    const { id, tip, fork, current, canonical, archived, length } = branch
    return (
      <div
        key={id}
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
            className={`min-w-0 flex-1 truncate ${archived ? 'text-muted line-through' : ''} ${current ? 'font-medium' : ''}`}
          >
            {branchName(branch)}
          </span>
          {canonical && (
            <Crown size={11} role="img" aria-label="the main line" className="text-accent" />
          )}
          <span className="tabular shrink-0 text-2xs text-muted">
            {archived ? 'archived' : current ? 'here' : count(length, 'turn')}
          </span>
        </Link>
      </div>
    )
  })
}
