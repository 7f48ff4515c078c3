import type { OpenSession } from '#agents'
import {
  advanceLedger,
  cellsOfTurn,
  getSessionFact,
  ledgerSeq,
  putCells,
  putSessionFact,
} from '#store'
import type { Cell, ProjectPath, Turn, TurnId, Value } from '#timeline'
import type { Project } from './open-project.ts'
import { findTakenOut, passedOver, takenOut } from './passed-over.ts'
import { projectContents } from './project-contents.ts'
import { lookAtPresent } from './read-present.ts'

const PASSED_BY = 'passed-by'

/**
 * Finds what the agent's own rewind took out of the files (sem.C5). It leaves no row: only the next
 * prompt, which goes on from an earlier turn, tells that turns were passed over. By then the files
 * may have been looked at long ago, so a new head is reason enough to compare.
 */
export function findRewound(
  project: Project,
  { conversation, file }: OpenSession,
  isNews: boolean,
): void {
  const { store } = project
  const { head } = conversation
  if (!isNews && getSessionFact(store, file.id, PASSED_BY) === head) return
  putSessionFact(store, file.id, PASSED_BY, head)
  const passed = passedOver(turnsOf(conversation), head)
  const cells = [...passed].flatMap((turn) => cellsOfTurn(store, turn).map(({ cell }) => cell))
  const contents = projectContents(store)
  const valueAt = (path: ProjectPath): Value => lookAtPresent(project, path, contents)
  const rewound = new Set<Cell>()
  for (const path of new Set(cells.filter((cell) => cell.in).map((cell) => cell.path))) {
    const content = valueAt(path)
    for (const cell of findTakenOut(cells, passed, { path, content, valueAt })) rewound.add(cell)
  }
  for (const cell of emptyDirectories(cells, rewound)) rewound.add(cell)
  for (const cell of rewound)
    putCells(store, [takenOut(cell, advanceLedger(store, ledgerSeq(store) + 1))])
}

/** The agent leaves the directories that its files were in. Without any file of a turn they are nothing. */
function emptyDirectories(cells: readonly Cell[], rewound: ReadonlySet<Cell>): Cell[] {
  return [...Map.groupBy(cells, ({ turn }) => turn).values()].flatMap((own) => {
    const files = own.filter(({ directory }) => directory === undefined)
    const isOut = files.every((cell) => !cell.in || rewound.has(cell))
    const hasMoved = files.some((cell) => rewound.has(cell))
    return isOut && hasMoved ? own.filter((cell) => cell.in && !files.includes(cell)) : []
  })
}

/** The turns of its own session that do not lead to a turn. */
export function passedBy(sessions: readonly OpenSession[], turn: TurnId): Set<TurnId> {
  const own = sessions.find(({ conversation }) => turnsOf(conversation).has(turn))
  return own === undefined ? new Set() : passedOver(turnsOf(own.conversation), turn)
}

function turnsOf({ turns }: OpenSession['conversation']): Map<TurnId, Turn> {
  return new Map(turns.map(({ turn }) => [turn.id, turn]))
}
