import { join } from 'node:path'
import {
  applyOperation,
  findBranch,
  openProject,
  planOperation,
  readSession,
  toProjectPath,
  type Machine,
  type Project,
  type ReadSession,
} from '#engine'
import { Failure } from '#failure'
import type { Command } from '#protocol'
import { pathTo, type ProjectPath, type TurnId } from '#timeline'
import type { HistoryWorld, Operation, Outcome } from './history.ts'

/** Retake's part of a world: the engine in this process, on one session of a project. */
export function retakeOn(
  machine: Machine,
  {
    project,
    session,
    kept,
    place = project,
  }: { project: string; session: string; kept?: Project; place?: string },
): Pick<HistoryWorld, 'operate' | 'line'> {
  const wanted = { session, project: null }
  const inPlace = (path: string): string =>
    place !== project && path.startsWith(`${place}/`) ? path.slice(place.length + 1) : path
  return {
    async operate(operation) {
      // Reuse the open project: opening the store takes a tenth of a simulated history.
      using own = kept === undefined ? openProject(machine, project) : null
      const opened = kept ?? own!
      try {
        const read = readSession(machine, wanted, opened)
        const command = commandFor(read, (path) => pathOf(project, join(place, path)), operation)
        const { only, onConflict } = operation
        const how = { only, onConflict, confirmed: true }
        const planned = await planOperation(machine, opened, wanted, { ...command, ...how })
        if (planned.kind === 'nothing-to-do') return { kind: 'nothing' }
        const { plan } = planned
        const receipt = await applyOperation(machine, opened, planned)
        return {
          kind: 'done',
          written: [...receipt.filesReverted, ...receipt.filesRemoved].map(inPlace),
          left: planned.report.left.map(({ path, why }) => `${inPlace(path ?? '')} (${why})`),
          beforeFirst: plan.to.beforeFirst,
          hasChosen: plan.files.some(({ chosen }) => chosen !== null),
        }
      } catch (error) {
        const refusal = refusalOf(error)
        return { ...refusal, files: refusal.files.map(inPlace) }
      }
    },
    async line() {
      const { tree } = readSession(machine, wanted, kept)
      const prompts = tree.line.map((id) => tree.turns.get(id)!.prompt)
      return { prompts, head: tree.head === null ? 0 : tree.places.get(tree.head)! + 1 }
    },
  }
}

/** Files outside the project have absolute paths. */
function pathOf(project: string, path: string): ProjectPath {
  return toProjectPath(path, project) ?? (path as ProjectPath)
}

function commandFor(
  { tree }: ReadSession,
  find: (path: string) => ProjectPath,
  operation: Operation,
): Command {
  const turnOf = (prompt: string): TurnId =>
    [...tree.turns.values()].find((turn) => turn.prompt === prompt)!.id
  switch (operation.do) {
    case 'undo':
    case 'redo':
      return { verb: operation.do, count: operation.count }
    case 'rewind':
      return { verb: 'rewind', turn: operation.to === null ? 0 : turnOf(operation.to) }
    case 'exact':
      return { verb: 'rewind', exact: true, turn: turnOf(operation.to) }
    case 'switch': {
      const turn = turnOf(operation.to)
      const branch = tree.branches.find(({ tip }) => pathTo(tree.turns, tip).includes(turn))!
      return { verb: 'switch', branch: findBranch(tree, branch.id).id, turn }
    }
    case 'revert':
      return { verb: 'revert', turn: turnOf(operation.turn), off: operation.off }
    case 'restore':
      return { verb: 'restore', files: [find(operation.path)], at: turnOf(operation.at) }
    case 'revert-files':
      return { verb: 'revert-files', files: [find(operation.path)] }
    case 'op-undo':
      return { verb: 'op-undo' }
  }
}

function refusalOf(error: unknown): Extract<Outcome, { kind: 'refused' }> {
  if (!(error instanceof Failure)) throw error
  const { files = [] } = (error.details ?? {}) as { files?: string[] }
  return { kind: 'refused', code: error.code, message: error.message, files }
}
