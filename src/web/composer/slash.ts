import type { PlanBody } from '#protocol'

/** Commands to Retake that are typed where prompts are typed; the agent knows none of them. */
export function readSlash(text: string): PlanBody | null {
  const [, verb, argument = ''] =
    /^\/(undo|redo|back)(?:\s+(\d{1,6}|all))?$/.exec(text.trim()) ?? []
  const turns = /^\d+$/.test(argument) ? { count: Math.max(1, Number(argument)) } : {}
  if (verb === 'undo' && argument !== 'all') return { verb, ...turns }
  if (verb === 'redo') return { verb, ...(argument === 'all' ? { all: true } : turns) }
  if (verb === 'back' && argument === '') return { verb: 'undo', only: 'chat' }
  return null
}
