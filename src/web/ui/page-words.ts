import type { Act, Option, Verb, Wording } from '#failure'
import { inTerminal } from '#protocol'

/** Where to do it on the page. */
const PLACES: Partial<Record<Verb, string>> = {
  branch: 'choose “Branch from here as a new session” in the turn’s menu',
  branches: 'open the graph',
  checkpoints: 'open Checkpoints',
  gc: 'clean up in Settings',
  install: 'install the hooks in Settings',
  log: 'look at the turns',
  'op log': 'open Operations',
  'op undo': 'open Operations and undo it there',
  redo: 'choose Redo',
  revert: 'choose “Revert this turn’s file changes” in the turn’s menu',
  sessions: 'look at the list of sessions',
  settings: 'open Settings',
  'settings set': 'open Settings',
  stash: 'open Stash',
  tree: 'open the graph',
  undo: 'choose Undo',
  where: 'open “Files through time”',
}

/** Options that the plan dialog offers. */
const OFFERED: Partial<Record<Option, (value: string | null) => string>> = {
  confirmed: () => 'confirm',
  includeUnsure: () => 'include the unsure changes',
  only: (value) => `choose “Only ${value}”`,
}

/** Words an act as what the user can click. */
export const onPage: Wording = (act) => {
  if (act.act === 'run') return placeOf(act) ?? inTerminal(act)
  if (act.act === 'choose') return 'choose a version for each file'
  if (act.act === 'add') return OFFERED[act.option]?.(act.value) ?? inTerminal(act)
  return inTerminal(act)
}

function placeOf({ verb, args, options }: Extract<Act, { act: 'run' }>): string | undefined {
  const { only, all: _, turn, ...more } = options
  if (Object.keys(more).length > 0) return undefined
  if (verb === 'switch' && turn !== undefined)
    return 'choose that turn in the graph and switch to it'
  if (verb === 'switch') return `switch to ${args[0] === 'BRANCH' ? 'another branch' : args[0]}`
  if (verb === 'settings set' && args[0] === 'voiceKey') return undefined
  const place = PLACES[verb]
  return place === undefined || only === undefined ? place : `${place} and “Only ${only}”`
}
