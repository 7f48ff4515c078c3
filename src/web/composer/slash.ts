import type { PlanBody } from '#protocol'

/** Reads commands to Retake that are typed as prompts; the agent knows none of them. */
export function readSlash(text: string): PlanBody | null {
  const [, verb, argument = ''] =
    /^\/(undo|redo|back)(?:\s+(\d{1,6}|all))?$/.exec(text.trim()) ?? []
  const turns = /^\d+$/.test(argument) ? { count: Math.max(1, Number(argument)) } : {}
  if (verb === 'undo' && argument !== 'all') return { verb, ...turns }
  if (verb === 'redo') return { verb, ...(argument === 'all' ? { all: true } : turns) }
  if (verb === 'back' && argument === '') return { verb: 'undo', only: 'chat' }
  return null
}

/** The usage of a Retake command with a valid name and invalid arguments; else null. */
export function slashHelp(text: string): string | null {
  const [, verb] = /^\/(undo|redo|back)(?:\s|$)/.exec(text.trim()) ?? []
  if (verb === undefined || readSlash(text) !== null) return null
  return {
    undo: 'Type /undo for the last turn, or /undo 2 for two.',
    redo: 'Type /redo for the next turn, /redo 2 for two, or /redo all.',
    back: 'Type /back without anything after it.',
  }[verb as 'undo' | 'redo' | 'back']
}
