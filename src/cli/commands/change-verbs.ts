import type { Command as Program } from 'commander'
import { addVerb } from './table-verbs.ts'

export function addChanges(program: Program): void {
  for (const verb of ['undo', 'redo', 'back', 'rewind', 'revert', 'restore'] as const)
    addVerb(program, verb)
}
