import { join } from 'node:path'
import {
  applyOperation,
  findBranch,
  openProject,
  plainly,
  planOperation,
  readSession,
  toProjectPath,
  type Asked,
  type Machine,
  type Project,
  type ReadSession,
} from '#engine'
import { Failure } from '#failure'
import { pathTo, type TurnId } from '#timeline'
import type { HistoryWorld, Operation, Outcome } from './history.ts'

/** Retake's own part of a world: the engine in this process, on a session of a project. */
export function retakeOn(
  machine: Machine,
  { project, session, kept }: { project: string; session: string; kept?: Project },
): Pick<HistoryWorld, 'operate' | 'line'> {
  const wanted = { session, project: null }
  return {
    async operate(operation) {
      // Opening the store is a tenth of a played history.
      using own = kept === undefined ? openProject(machine, project) : null
      const opened = kept ?? own!
      try {
        const read = readSession(machine, wanted, opened)
        const asked = askedFor(read, project, operation)
        const how = { ...plainly, only: operation.only ?? null, confirmed: true }
        const planned = await planOperation(machine, opened, wanted, asked, how)
        if (planned.kind === 'nothing-to-do') return { kind: 'nothing' }
        const { plan } = planned
        const receipt = await applyOperation(machine, opened, planned)
        return {
          kind: 'done',
          written: [...receipt.filesReverted, ...receipt.filesRemoved],
          left: planned.report.left.map(({ path, why }) => `${path} (${why})`),
          beforeFirst: plan.to.beforeFirst,
        }
      } catch (error) {
        return refusalOf(error)
      }
    },
    async line() {
      const { tree } = readSession(machine, wanted, kept)
      const prompts = tree.line.map((id) => tree.turns.get(id)!.prompt)
      return { prompts, head: tree.head === null ? 0 : tree.places.get(tree.head)! + 1 }
    },
  }
}

function askedFor({ tree }: ReadSession, project: string, operation: Operation): Asked {
  const turnOf = (prompt: string): TurnId =>
    [...tree.turns.values()].find((turn) => turn.prompt === prompt)!.id
  switch (operation.do) {
    case 'undo':
    case 'redo':
      return { verb: operation.do, count: operation.count }
    case 'rewind':
      return { verb: 'rewind', to: operation.to === null ? null : turnOf(operation.to) }
    case 'exact':
      return { verb: 'exact', to: turnOf(operation.to) }
    case 'switch': {
      const turn = turnOf(operation.to)
      const branch = tree.branches.find(({ tip }) => pathTo(tree.turns, tip).includes(turn))!
      return { verb: 'switch', branch: findBranch(tree, branch.id).id, turn }
    }
    case 'revert':
      return { verb: 'revert', turn: turnOf(operation.turn), off: operation.off }
    case 'restore': {
      const path = toProjectPath(join(project, operation.path), project)!
      return { verb: 'restore', paths: [path], at: turnOf(operation.at) }
    }
    case 'op-undo':
      return { verb: 'op-undo', operation: null }
  }
}

function refusalOf(error: unknown): Outcome {
  if (!(error instanceof Failure)) throw error
  const { files = [] } = (error.details ?? {}) as { files?: string[] }
  return { kind: 'refused', code: error.code, message: error.message, files }
}
