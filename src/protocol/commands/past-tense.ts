import { shortId, type PlanVerb } from '#timeline'

/** A receipt, as far as its first sentence needs it. */
export interface Done {
  readonly verb: string
  readonly to: { readonly id: string; readonly number: number | null } | null
  readonly branches?: readonly { readonly label: string }[]
  readonly name?: string | null
  readonly turnsUndone: number
  readonly turnsRedone: number
  readonly filesReverted: readonly string[]
  /** Listed in `filesReverted` where this is missing. */
  readonly filesRemoved?: readonly string[]
  readonly firstStays?: boolean
}

/** What an operation did, without a full stop: "Undid 2 turns". The same on every surface. */
export function pastTense(done: Done): string {
  return DID[done.verb as PlanVerb]?.(done) ?? went(done)
}

/** What the operation left alone on purpose, in a sentence of its own; empty if it needs none. */
export function staysAfter({ verb }: Pick<Done, 'verb'>): string {
  return STAYS[verb as PlanVerb] ?? ''
}

const DID: Readonly<Record<PlanVerb, (done: Done) => string>> = {
  undo: (done) => turnsMoved(done) ?? 'Undid the remaining changes',
  redo: (done) => turnsMoved(done) ?? 'Redid the remaining changes',
  rewind: (done) => turnsMoved(done) ?? went(done),
  exact: (done) => turnsMoved(done) ?? went(done),
  switch: (done) => `Switched to ${labels(done, 'the branch')}${atTurn(done)}`,
  branch: (done) => `New session “${labels(done, 'untitled')}”`,
  revert: () => 'Reverted the turn’s changes',
  'revert-off': () => 'Brought the turn’s changes back',
  'revert-files': () => 'Reverted the agent’s changes',
  restore: ({ filesReverted, filesRemoved = [] }) =>
    `Restored ${counted(filesReverted.length + filesRemoved.length, 'file')}`,
  'op-undo': () => 'Undid the operation',
  checkpoint: (done) => `${turnOf(done, 'The turn')} is now checkpoint “${done.name}”`,
  'checkpoint-delete': ({ name }) => `Deleted checkpoint “${name}”`,
  'branch-rename': (done) => `Renamed ${labels(done, 'the branch')} to “${done.name}”`,
  // They are only hidden: the transcript and the agent keep them.
  'branch-delete': (done) => `Hid ${labels(done, 'the branch')}`,
  'branch-archive': (done) => `Archived ${labels(done, 'the branch')}`,
  'branch-unarchive': (done) => `Unarchived ${labels(done, 'the branch')}`,
  'branch-canonical': ({ branches: [main, old] = [] }) =>
    `Made ${main?.label ?? 'the branch'} the main branch${old === undefined ? '' : `, and archived ${old.label}`}`,
  'session-rename': ({ name }) => `Renamed the session to “${name}” in Retake`,
  'session-delete': (done) => `Hid ${titles(done)}`,
  'session-archive': (done) => `Archived ${titles(done)}`,
  'session-unarchive': (done) => `Unarchived ${titles(done)}`,
}

const STAYS: Partial<Record<PlanVerb, string>> = {
  'branch-delete': 'The transcript keeps the turns.',
  'session-delete': 'The agent’s files stay.',
  'checkpoint-delete': 'The turn is unchanged.',
}

function turnsMoved({ turnsUndone, turnsRedone, firstStays = false }: Done): string | null {
  if (firstStays && turnsUndone < 2) return 'Undid the first turn'
  if (turnsUndone > 0) return `Undid ${counted(turnsUndone, 'turn')}`
  return turnsRedone > 0 ? `Redid ${counted(turnsRedone, 'turn')}` : null
}

function went(done: Done): string {
  return done.to === null ? 'Went to the start' : `Went to ${turnOf(done, '').toLowerCase()}`
}

function turnOf({ to }: Done, otherwise: string): string {
  return to === null ? otherwise : `Turn ${to.number ?? shortId(to.id)}`
}

function atTurn(done: Done): string {
  return done.to === null ? '' : `, ${turnOf(done, '').toLowerCase()}`
}

/** Longer lists are counted instead. */
const MAX_NAMED = 3

function labels({ branches = [] }: Done, otherwise: string): string {
  if (branches.length > MAX_NAMED) return `${branches.length} branches`
  return branches.map(({ label }) => label).join(', ') || otherwise
}

function titles({ branches = [] }: Done): string {
  if (branches.length > MAX_NAMED) return counted(branches.length, 'session')
  return branches.map(({ label }) => `“${label}”`).join(', ') || 'the session'
}

function counted(n: number, one: string): string {
  return n === 1 ? `1 ${one}` : `${n.toLocaleString('en')} ${one}s`
}
