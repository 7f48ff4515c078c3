import { listSessionFiles } from './agents.ts'
import type { Machine } from './machine.ts'

/** The sessions whose transcript has this turn: a fork copies turns with their ids. */
export function sessionsWithTurn(machine: Machine, turn: string): string[] {
  const files = listSessionFiles(machine)
  return machine.index
    .summaries(files)
    .filter(({ counted }) => counted?.turnIds.some((id) => id === turn))
    .map(({ id }) => id)
}
