import type { OpenSession } from '#agents'
import {
  advanceLedger,
  appendLinks,
  cellsOfTurn,
  getSessionFact,
  ledgerSeq,
  linksTouching,
  putCells,
  putSessionFact,
  type Store,
} from '#store'
import {
  absent,
  sameValue,
  type Cell,
  type ProjectPath,
  type Turn,
  type TurnId,
  type Value,
} from '#timeline'
import { inspectPresent, projectContents, type Project } from '../project/index.ts'
import { findRemovedCells, passedOver, markRemoved } from './passed-over.ts'

const PASSED_BY = 'passed-by'

/** Evidence of a link that the agent's own rewind made. */
export const REWOUND = 'the agent rewound it'

/**
 * Finds changes that the agent's own rewind removed from the files (sem.C5). A rewind writes no
 * row: it only shows when the next prompt continues from an earlier turn. The last scan may be long
 * past by then, so a new head alone triggers the comparison.
 */
export function findRewound(project: Project, session: OpenSession, isNews: boolean): void {
  const { conversation, file } = session
  const { store } = project
  const { head } = conversation
  if (!isNews && getSessionFact(store, file.id, PASSED_BY) === head) return
  putSessionFact(store, file.id, PASSED_BY, head)
  const passed = passedOver(turnsOf(conversation), head)
  const cells = [...passed].flatMap((turn) => cellsOfTurn(store, turn).map(({ cell }) => cell))
  const contents = projectContents(store)
  const valueAt = (path: ProjectPath): Value => inspectPresent(project, path, contents)
  const rewound = rewoundCells(cells, passed, valueAt)
  for (const cell of emptyDirectories(cells, rewound)) rewound.add(cell)
  for (const cell of rewound) {
    noteRewound(store, cell, { content: valueAt(cell.path), sessions: [session] })
    putCells(store, [markRemoved(cell, advanceLedger(store, ledgerSeq(store) + 1))])
  }
}

/**
 * Records the rewind as a link, unless a scan saw it. Otherwise the ledger says that the file is
 * still as the turn left it, and an exact rewind to that turn would not change it.
 */
export function noteRewound(
  store: Store,
  { path, turn, renamedFrom, directory }: Cell,
  { content, sessions }: { content: Value; sessions: readonly OpenSession[] },
): void {
  const last = linksTouching(store, path).at(-1)
  const at = startAfter(sessions, turn)
  if (last === undefined || at === null || renamedFrom !== null || directory !== undefined) return
  const before = last.path === path ? last.after : absent
  if (sameValue(before, content)) return
  const plain = { path, from: null, before, after: content, gitHead: null, at }
  const author = { kind: 'outside', id: null } as const
  appendLinks(store, [{ ...plain, author, evidence: REWOUND }])
}

/** When the turn after this one began. */
function startAfter(sessions: readonly OpenSession[], turn: TurnId): number | null {
  for (const session of sessions) {
    const { turns } = session.conversation
    const place = turns.findIndex((entry) => entry.turn.id === turn)
    const next = place < 0 ? undefined : turns[place + 1]
    if (next !== undefined) return session.factsOf(next.turn.id).started
  }
  return null
}

/**
 * Turns that made a file and removed it again have the same value before and after. Then their
 * other files decide: nothing was rewound unless one of them shows it.
 */
function rewoundCells(
  cells: readonly Cell[],
  passed: ReadonlySet<TurnId>,
  valueAt: (path: ProjectPath) => Value,
): Set<Cell> {
  const found: { chain: readonly Cell[]; isEither: boolean }[] = []
  const own = cells.filter((cell) => cell.in && cell.directory === undefined)
  for (const [path, list] of Map.groupBy(own, (cell) => cell.path)) {
    const content = valueAt(path)
    const chain = findRemovedCells(cells, passed, { path, content, valueAt })
    const newest = list.reduce((last, cell) => (cell.seq > last.seq ? cell : last))
    const isAsLeft = sameValue(newest.eff.at(-1)!.after, content)
    if (chain.length > 0) found.push({ chain, isEither: isAsLeft })
  }
  const shown = new Set(
    found.flatMap(({ chain, isEither }) => (isEither ? [] : chain.map(({ turn }) => turn))),
  )
  const rewound = found.filter(
    ({ chain, isEither }) => !isEither || chain.some(({ turn }) => shown.has(turn)),
  )
  return new Set(rewound.flatMap(({ chain }) => chain))
}

/** The agent's rewind leaves directories behind. Once all files of a turn are out, so are they. */
function emptyDirectories(cells: readonly Cell[], rewound: ReadonlySet<Cell>): Cell[] {
  return [...Map.groupBy(cells, ({ turn }) => turn).values()].flatMap((own) => {
    const files = own.filter(({ directory }) => directory === undefined)
    const isOut = files.every((cell) => !cell.in || rewound.has(cell))
    const hasMoved = files.some((cell) => rewound.has(cell))
    return isOut && hasMoved ? own.filter((cell) => cell.in && !files.includes(cell)) : []
  })
}

/** All turns of the turn's session except the turn itself and its ancestors. */
export function passedBy(sessions: readonly OpenSession[], turn: TurnId): Set<TurnId> {
  const own = sessions.find(({ conversation }) => turnsOf(conversation).has(turn))
  return own === undefined ? new Set() : passedOver(turnsOf(own.conversation), turn)
}

function turnsOf({ turns }: OpenSession['conversation']): Map<TurnId, Turn> {
  return new Map(turns.map(({ turn }) => [turn.id, turn]))
}
