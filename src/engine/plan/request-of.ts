import { pathTo, type Ledger, type PlanRequest } from '#timeline'
import {
  findBranch,
  lineTurns,
  type ResolvedCommand,
  type Marking,
  type ReadSession,
  type SessionEdit,
} from '../session/index.ts'
import { exactTarget } from './exact-target.ts'
import type { Project, ProjectContents } from '../project/index.ts'
import { restoreTarget } from './restore-target.ts'

/** The command in the planner's terms: branches as their turns, files as their contents. */
export function requestOf(
  project: Project,
  session: ReadSession,
  asked: Exclude<ResolvedCommand, Marking | SessionEdit | { verb: 'session-title' }>,
  known: { readonly contents: ProjectContents; readonly ledger: Ledger },
): PlanRequest {
  switch (asked.verb) {
    case 'switch': {
      const { tip } = findBranch(session.tree, asked.branch)
      const line = lineTurns(project, session, pathTo(session.tree.turns, tip))
      return { verb: 'switch', line, ...(asked.turn === null ? {} : { to: asked.turn }) }
    }
    case 'branch': {
      const line = lineTurns(project, session, pathTo(session.tree.turns, asked.turn))
      return { verb: 'switch', line }
    }
    case 'revert':
      return { verb: asked.off ? 'revert-off' : 'revert', turn: asked.turn }
    case 'revert-files':
      return {
        verb: 'revert-files',
        paths: new Set(asked.paths),
        ...(asked.parts === undefined ? {} : { parts: new Set(asked.parts) }),
      }
    case 'exact':
      return { verb: 'exact', to: asked.to, target: exactTarget(project, session, asked.to) }
    case 'restore':
      return { verb: 'restore', target: restoreTarget(project, session, asked, known) }
    case 'op-undo':
      return asked.operation === null
        ? { verb: 'op-undo' }
        : { verb: 'op-undo', operation: String(asked.operation) as never }
    case 'rewind':
      return asked.before === undefined
        ? { verb: 'rewind', to: asked.to }
        : { verb: 'rewind', before: asked.before }
    case 'undo':
    case 'redo':
      return asked
  }
}
