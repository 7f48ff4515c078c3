import { Link } from '@tanstack/react-router'
import { FolderGit2, Plus, Search } from 'lucide-react'
import { Fragment, useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { failureFrom } from '../connection/connection.ts'
import { useBranchesOf, useProjects, useSessions } from '../connection/queries.ts'
import { Button } from '../ui/button.tsx'
import { Key } from '../ui/key.tsx'
import { usePreferences } from '../preferences.ts'
import { isTyping } from '../turns/turn-keys.ts'
import { arrangeSessions, type SessionNode } from './arrange-sessions.ts'
import { BranchRows } from './branch-rows.tsx'
import { SessionRow } from './session-row.tsx'

/** All sessions of this machine: projects, their sessions, and what was branched off from them. */
export function SessionsPane({ current }: { current: string | undefined }) {
  const { data, error, refetch } = useSessions()
  const [filter, setFilter] = useState('')
  const projects = useMemo(() => arrangeSessions(data?.sessions ?? [], filter), [data, filter])
  const tree = useRef<HTMLDivElement>(null)
  return (
    <nav aria-label="Sessions" className="flex h-full min-h-0 flex-col">
      <Filter value={filter} onChange={setFilter} />
      <div
        ref={tree}
        role="tree"
        aria-label="Sessions by project"
        onKeyDown={(event) => moveInTree(event, tree.current)}
        className="min-h-0 flex-1 overflow-y-auto px-2 pb-4"
      >
        {projects.map(({ path, name, sessions }) => (
          <Fragment key={path}>
            <div
              role="treeitem"
              aria-level={1}
              aria-expanded
              title={path ?? undefined}
              className="mt-3 flex items-center gap-1.5 px-2 pb-1 text-xs font-medium text-muted"
            >
              <FolderGit2 size={13} aria-hidden className="shrink-0" />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <NewHere path={path} name={name} />
            </div>
            {sessions.map((node) => (
              <Node key={node.session.id} node={node} level={2} current={current} />
            ))}
          </Fragment>
        ))}
      </div>
      {error !== null && data === undefined && (
        <div className="p-4 text-sm">
          <p>{failureFrom(error).message}</p>
          <Button className="mt-2" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {data !== undefined && projects.length === 0 && filter !== '' && (
        <p className="absolute inset-x-0 top-28 text-center text-sm text-muted">
          No session fits “{filter}”.
        </p>
      )}
      {data === undefined && error === null && <Waiting />}
    </nav>
  )
}

function NewHere({ path, name }: { path: string | null; name: string }) {
  const project = useProjects().data?.projects.find((known) => known.path === path)
  if (project === undefined) return null
  return (
    <Link
      to="/new"
      search={{ project: project.id }}
      aria-label={`New session in ${name}`}
      title={`New session in ${name}`}
      className="rounded p-0.5 text-faint hover:bg-hover hover:text-ink"
    >
      <Plus size={14} />
    </Link>
  )
}

function Node({
  node,
  level,
  current,
}: {
  node: SessionNode
  level: number
  current: string | undefined
}) {
  const holdsCurrent = contains(node, current)
  const [chosen, setOpen] = useState<boolean | null>(null)
  const open = chosen ?? holdsCurrent
  const inside = node.session.branches ?? 1
  // The list counts what is in the transcript; forgotten ones are known when they are asked for.
  const branches = useBranchesOf(node.session.id, open && inside > 1).data?.branches
  const lines = branches?.length ?? inside
  return (
    <SessionRow
      session={node.session}
      level={level}
      current={current === node.session.id}
      branches={(lines > 1 ? lines : 0) + node.below.length}
      open={open}
      onToggle={() => setOpen(!open)}
    >
      {lines > 1 && branches !== undefined && (
        <BranchRows session={node.session.id} level={level + 1} branches={branches} />
      )}
      {node.below.map((child) => (
        <Node key={child.session.id} node={child} level={level + 1} current={current} />
      ))}
    </SessionRow>
  )
}

function contains(node: SessionNode, id: string | undefined): boolean {
  return node.session.id === id || node.below.some((child) => contains(child, id))
}

function Filter({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const { singleKeys } = usePreferences()
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== '/' || !singleKeys || isTyping(event.target)) return
      if (document.querySelector('dialog[open]') !== null) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [singleKeys])
  return (
    <div className="p-3 pb-1">
      <label className="flex h-8 items-center gap-2 rounded-md border border-line bg-surface px-2.5 focus-within:border-accent">
        <Search size={14} aria-hidden className="text-faint" />
        <input
          ref={input}
          type="search"
          aria-label="Filter sessions"
          placeholder="Filter sessions"
          value={value}
          onChange={(event) => onChange(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onChange('')
          }}
          className="min-w-0 flex-1 bg-transparent text-sm outline-none placeholder:text-faint"
        />
        {singleKeys && <Key>/</Key>}
      </label>
    </div>
  )
}

/** As in any tree: up and down through what is open, right opens, left closes. */
function moveInTree(event: KeyboardEvent, tree: HTMLElement | null): void {
  const items = [...(tree?.querySelectorAll<HTMLElement>('[data-session-link]') ?? [])]
  const at = items.indexOf(document.activeElement as HTMLElement)
  if (at === -1) return
  const row = items[at]!.closest('[role="treeitem"]')
  const toggle = row?.querySelector<HTMLElement>('[data-toggle]')
  const expanded = row?.getAttribute('aria-expanded')
  const to =
    event.key === 'ArrowDown'
      ? at + 1
      : event.key === 'ArrowUp'
        ? at - 1
        : event.key === 'Home'
          ? 0
          : event.key === 'End'
            ? items.length - 1
            : -1
  if (event.key === 'ArrowRight' && expanded === 'false') toggle?.click()
  else if (event.key === 'ArrowLeft' && expanded === 'true') toggle?.click()
  else if (items[to] === undefined) return
  else items[to].focus()
  event.preventDefault()
}

function Waiting() {
  return (
    <div aria-hidden className="flex flex-col gap-3 px-4 pt-4">
      {[70, 90, 60, 80, 50].map((width) => (
        <span
          key={width}
          className="h-3.5 animate-breathe rounded bg-hover"
          style={{ width: `${width}%` }}
        />
      ))}
    </div>
  )
}
