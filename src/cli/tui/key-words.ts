import type { Act, Verb, Wording } from '#failure'
import { inTypedLine } from '#protocol'

const KEYS: Partial<Record<Verb, string>> = {
  branches: 'press b',
  'op log': 'press o',
  'op undo': 'press o, then u',
  redo: 'press r',
  undo: 'press u',
}

const typed = inTypedLine('/', 'slash')

/** The TUI's wording: a key if one exists, else a slash command. */
export const onScreen: Wording = (act) => {
  if (act.act === 'run') return keyFor(act) ?? typed(act)
  if (act.act === 'choose') return 'press 1, 2 or 3 on each conflict'
  if (act.act === 'add' && act.option === 'includeUnsure') return 'press i in the plan'
  if (act.act === 'add' && act.option === 'confirmed') return 'press y'
  return typed(act)
}

function keyFor({ verb, args, options }: Extract<Act, { act: 'run' }>): string | undefined {
  const named = Object.keys(options).join()
  if (verb === 'undo' && named === 'includeUnsure') return 'press u, then i'
  if (verb === 'switch' && named === 'turn') return 'press s on that turn'
  if (named !== '' || (args.length > 0 && verb !== 'op undo')) return undefined
  return KEYS[verb]
}
