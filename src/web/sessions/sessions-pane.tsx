import { Archive, FolderGit2 } from 'lucide-react'
import { ContextMenu } from 'radix-ui'
import {
  Fragment,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from 'react'
import { sortBranches } from '../branches/branch-name.ts'
import { failureFrom } from '../connection/connection.ts'
import { useAgentMarks } from '../connection/agents.ts'
import { useBranchesOf, useSessions } from '../connection/queries.ts'
import { Button } from '../ui/button.tsx'
import { MenuItems } from '../ui/menu.tsx'
import { count } from '../words.ts'
import { arrangeSessions, type SessionNode, type SessionView } from './arrange-sessions.ts'
import { BranchRows } from './branch-rows.tsx'
import { useEditSessions } from './edit-sessions.ts'
import { DeleteSessions, RenameSession } from './edit-dialogs.tsx'
import { AgentFilter } from './agent-filter.tsx'
import { Filter } from './filter.tsx'
import { moveInTree } from './move-in-tree.ts'
import { NewSessionButton } from './new-session-button.tsx'
import { SelectedBar } from './selected-bar.tsx'
import { selectByClick, selectByKey, sessionAt, useSelection } from './selection.ts'
import { sessionActions } from './session-actions.ts'
import { SessionRow } from './session-row.tsx'

type Asked =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'rename'; readonly session: SessionView }
  | { readonly kind: 'delete'; readonly sessions: readonly SessionView[] }

/** All sessions on this machine: projects, their sessions, and those branched off from them. */
export function SessionsPane({ current }: { current: string | undefined }) {
  const { data, error, refetch } = useSessions()
  const [filter, setFilter] = useState('')
  const [wanted, setWanted] = useState('')
  const marks = useAgentMarks()
  // The last session of that agent may be gone, and the buttons with it.
  const agent = marks.has(wanted) ? wanted : ''
  const [archived, setArchived] = useState(false)
  const [target, setTarget] = useState<SessionView | null>(null)
  const [asked, setAsked] = useState<Asked>({ kind: 'nothing' })
  const { ids } = useSelection()
  const edit = useEditSessions()
  const all = data?.sessions ?? []
  const shown = useMemo(
    () =>
      (data?.sessions ?? [])
        .filter((each) => archived || !each.archived || each.id === current)
        .filter((each) => agent === '' || each.agent === agent),
    [data, archived, current, agent],
  )
  const projects = useMemo(() => arrangeSessions(shown, filter), [shown, filter])
  const chosen = all.filter(({ id }) => ids.has(id))
  const away = all.filter((each) => each.archived).length
  const tree = useRef<HTMLDivElement>(null)
  useTabStop(tree, current)
  useInSight(tree, current, data !== undefined)
  const close = (): void => setAsked({ kind: 'nothing' })
  /** The session pointed at, or the whole selection if the session is in it. */
  const meant = (session: SessionView): readonly SessionView[] =>
    ids.has(session.id) ? chosen : [session]
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (selectByKey(event)) return
    const session = all.find(({ id }) => id === sessionAt(event.target))
    if (session !== undefined && event.key === 'F2') setAsked({ kind: 'rename', session })
    else if (session !== undefined && event.key === 'Delete')
      setAsked({ kind: 'delete', sessions: meant(session) })
    else return moveInTree(event, tree.current)
    event.preventDefault()
  }
  return (
    <nav aria-label="Sessions" className="flex h-full min-h-0 flex-col">
      <Filter value={filter} onChange={setFilter} />
      <AgentFilter marks={marks} value={agent} onChange={setWanted} />
      <ContextMenu.Root modal={false}>
        <ContextMenu.Trigger
          asChild
          onContextMenu={(event) => {
            const id = sessionAt(event.target)
            const session = all.find((each) => each.id === id)
            if (session === undefined) event.preventDefault()
            else setTarget(session)
          }}
        >
          <div
            ref={tree}
            role="tree"
            aria-label="Sessions by project"
            aria-multiselectable
            onKeyDown={onKeyDown}
            onClickCapture={selectByClick}
            className="min-h-0 flex-1 overflow-y-auto px-2 pb-4"
          >
            {projects.map(({ path, name, sessions }) => (
              <Fragment key={path}>
                <div
                  role="treeitem"
                  aria-level={1}
                  aria-expanded
                  aria-selected={false}
                  title={path ?? undefined}
                  className="mt-3 flex items-center gap-1.5 px-2 pb-1 text-xs font-medium text-muted"
                >
                  <FolderGit2 size={13} aria-hidden className="shrink-0" />
                  <span className="min-w-0 flex-1 truncate">{name}</span>
                  <NewSessionButton path={path} name={name} />
                </div>
                {sessions.map((node) => (
                  <Node key={node.session.id} node={node} level={2} current={current} />
                ))}
              </Fragment>
            ))}
            {away > 0 && (
              <button
                type="button"
                aria-pressed={archived}
                onClick={() => setArchived(!archived)}
                className="mt-3 ml-2 flex items-center gap-1.5 rounded text-xs text-muted hover:text-ink"
              >
                <Archive size={12} aria-hidden />
                {archived ? 'Hide archived sessions' : `Show ${count(away, 'archived session')}`}
              </button>
            )}
          </div>
        </ContextMenu.Trigger>
        <ContextMenu.Portal>
          <MenuItems
            items={
              target === null
                ? []
                : sessionActions({
                    sessions: meant(target),
                    edit,
                    rename: () => setAsked({ kind: 'rename', session: target }),
                    remove: () => setAsked({ kind: 'delete', sessions: meant(target) }),
                  })
            }
          />
        </ContextMenu.Portal>
      </ContextMenu.Root>
      {chosen.length > 0 && (
        <SelectedBar
          sessions={chosen}
          onDelete={() => setAsked({ kind: 'delete', sessions: chosen })}
        />
      )}
      {asked.kind === 'rename' && <RenameSession session={asked.session} onClose={close} />}
      {asked.kind === 'delete' && <DeleteSessions sessions={asked.sessions} onClose={close} />}
      {error !== null && data === undefined && (
        <div className="p-4 text-sm">
          <p>{failureFrom(error).message}</p>
          <Button className="mt-2" onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      )}
      {data !== undefined && projects.length === 0 && (filter !== '' || agent !== '') && (
        <p className="absolute inset-x-0 top-28 text-center text-sm text-muted">
          {noSessions(marks.get(agent), filter)}
        </p>
      )}
      {data === undefined && error === null && <Waiting />}
    </nav>
  )
}

/** The agent's button is there only if it has sessions, so without words they are archived. */
function noSessions(agent: string | undefined, filter: string): string {
  if (filter === '') return `All ${agent} sessions are archived.`
  return `No ${agent === undefined ? '' : `${agent} `}sessions match “${filter}”.`
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
  // `inside` counts every fork of the transcript; only the loaded branches say which are listed.
  const branches = useBranchesOf(node.session.id, open && inside > 1).data?.branches
  const listed = branches === undefined ? 0 : sortBranches(branches).listed.length
  const folds = (branches?.length ?? inside) > 1 || node.below.length > 0
  return (
    <SessionRow
      session={node.session}
      level={level}
      current={current === node.session.id}
      branches={(listed > 1 ? listed : 0) + node.below.length}
      folds={folds}
      open={open}
      onToggle={() => setOpen(!open)}
    >
      {branches !== undefined && branches.length > 1 && (
        <BranchRows session={node.session.id} level={level + 1} branches={branches} />
      )}
      {node.below.map((child) => (
        <Node key={child.session.id} node={child} level={level + 1} current={current} />
      ))}
    </SessionRow>
  )
}

/** The whole tree is one Tab stop; the arrow keys move inside it. */
function useTabStop(tree: RefObject<HTMLElement | null>, current: string | undefined): void {
  useLayoutEffect(() => {
    const links = [...(tree.current?.querySelectorAll<HTMLElement>('[data-session-link]') ?? [])]
    const own = links.find((link) => sessionAt(link) === current)
    const first = links.find((link) => sessionAt(link) !== null)
    for (const link of links) link.tabIndex = link === (own ?? first) ? 0 : -1
  })
}

/** Scrolls the open session into view. */
function useInSight(
  tree: RefObject<HTMLElement | null>,
  current: string | undefined,
  isRead: boolean,
): void {
  useEffect(() => {
    const list = tree.current
    const row = list?.querySelector(`[data-session="${CSS.escape(current ?? '')}"]`)
    if (list == null || row == null) return
    // `scrollIntoView` would let Tab continue from here, past the skip links.
    const [inside, outside] = [row.getBoundingClientRect(), list.getBoundingClientRect()]
    if (inside.top < outside.top || inside.bottom > outside.bottom)
      list.scrollTop += inside.top - outside.top - outside.height / 2
  }, [tree, current, isRead])
}

function contains(node: SessionNode, id: string | undefined): boolean {
  return node.session.id === id || node.below.some((child) => contains(child, id))
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
