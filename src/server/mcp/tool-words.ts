import type { Verb, Wording } from '#failure'
import { inTerminal } from '#protocol'

const TOOLS: Partial<Record<Verb, string>> = {
  log: 'list_turns',
  redo: 'plan_redo',
  revert: 'plan_revert',
  status: 'status',
  undo: 'plan_undo',
}

/** Words a remedy for the model: a tool if there is one, else something to ask of the user. */
export const inTools: Wording = (act) => {
  if (act.act === 'run') {
    const tool = TOOLS[act.verb]
    const { only, ...more } = act.options
    if (tool !== undefined && Object.keys(more).length === 0)
      return only === undefined ? `call ${tool}` : `call ${tool} with only: ${JSON.stringify(only)}`
  }
  if (act.act === 'add' && act.option === 'only')
    return `plan it with only: ${JSON.stringify(act.value)}`
  if (act.act === 'choose') return 'ask the user to run the command in a terminal and choose there'
  return `ask the user to ${inTerminal(act)}`
}
