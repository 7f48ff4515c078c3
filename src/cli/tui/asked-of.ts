import { findTurn, switchTo, type Asked, type AskedHow, type ReadSession } from '#engine'
import type { Request } from './state.ts'

/** What is asked for, with turns and branches found in the session as it is now. */
export function askedOf(session: ReadSession, request: Request): Asked {
  const { tree } = session
  switch (request.verb) {
    case 'undo':
    case 'redo':
    case 'op-undo':
      return request
    case 'back':
      return { verb: 'undo', count: 1 }
    case 'rewind':
      if (request.before) return { verb: 'rewind', before: findTurn(tree, request.turn) }
      return { verb: 'rewind', to: request.turn === '0' ? null : findTurn(tree, request.turn) }
    case 'switch':
      return switchTo(session, request.branch, request.turn ?? undefined)
    case 'branch':
      return { verb: 'branch', turn: findTurn(tree, request.turn), title: request.title }
    case 'checkpoint': {
      const { name, turn } = request
      return { verb: 'checkpoint', name, turn: turn === null ? null : findTurn(tree, turn) }
    }
  }
}

export function howOf({ verb, includeUnsure = false }: Request): Partial<AskedHow> {
  return { includeUnsure, ...(verb === 'back' ? { only: 'chat' } : {}) }
}
