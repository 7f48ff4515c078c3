import { Failure } from '#failure'
import {
  buildTree,
  filesStateOf,
  numberOf,
  stateOf,
  type Cell,
  type LogReport,
  type ShowReport,
  type StatusReport,
  type Tree,
  type TurnId,
} from '#timeline'
import { findSession, type FoundSession, type Wanted } from './find-session.ts'
import { hooksInstalled } from './install.ts'
import { withKnown } from './known-project.ts'
import type { Machine } from './machine.ts'
import { diffFiles, reportTurn } from './report-turn.ts'

export interface ReadSession extends FoundSession {
  readonly tree: Tree
}

export function readSession(machine: Machine, wanted: Wanted): ReadSession {
  const found = findSession(machine, wanted)
  const { conversation, file } = found.open
  const turns = conversation.turns.map(({ turn }) => turn)
  return { ...found, tree: buildTree(file.id, turns, conversation.head) }
}

/** Every turn of the session, in the order they were written, whatever branch they are on. */
export function readLog(machine: Machine, wanted: Wanted): LogReport {
  const { report, open, tree } = readSession(machine, wanted)
  return withKnown(machine, open, tree, (known) => ({
    session: report,
    head: tree.head,
    turns: [...tree.turns.keys()].map((id) => reportTurn(open, tree, id, known).report),
    branches: tree.branches,
    damage: open.transcript.damage,
  }))
}

export function readTurn(machine: Machine, wanted: Wanted, turn: string): ShowReport {
  const { report, open, tree } = readSession(machine, wanted)
  const id = findTurn(tree, turn)
  return withKnown(machine, open, tree, (known) => {
    const { report: found, moments, edits } = reportTurn(open, tree, id, known)
    const diffs = [...diffFiles(edits, report.project), ...known.diffsByShell(id)]
    return { session: report, turn: found, moments, diffs }
  })
}

export function readStatus(machine: Machine, wanted: Wanted): StatusReport {
  const { report, open, tree } = readSession(machine, wanted)
  const place = tree.head === null ? -1 : tree.places.get(tree.head)!
  const head = tree.head === null ? null : tree.turns.get(tree.head)!
  return withKnown(machine, open, tree, (known) => ({
    session: report,
    head: head && { id: head.id, number: place + 1, prompt: head.prompt },
    turns: tree.line.length,
    undone: tree.line.length - place - 1,
    branches: tree.branches.length,
    hooks: hooksInstalled(machine.places.claudeConfig, report.project ?? machine.places.cwd),
    coverage: tree.head !== null && known.covered.has(tree.head) ? 'whole-tree' : 'recorded-edits',
    differing: findDiffering(tree, known.cells),
    damage: open.transcript.damage,
  }))
}

/** Turns whose files are not where the conversation is: two facts that may part (sem.C1). */
function findDiffering(
  tree: Tree,
  cells: ReadonlyMap<TurnId, readonly Cell[]>,
): StatusReport['differing'] {
  return tree.line.flatMap((id) => {
    const files = filesStateOf(cells.get(id) ?? [])
    const expected = stateOf(tree, id) === 'active' ? 'in' : 'out'
    if (files === 'none' || files === expected) return []
    return [{ id, number: numberOf(tree, id), files }]
  })
}

/**
 * A turn by what people type: its number on the current line, its id or the first four or more
 * characters of it, or `BRANCH:NUMBER`.
 */
export function findTurn(tree: Tree, text: string): TurnId {
  // Of a turn's id, too, the first characters may all be digits.
  if (/^\d+$/.test(text) && (text.length < 4 || Number(text) <= tree.line.length))
    return byNumber(tree, Number(text))
  const [branch, number] = splitBranch(text)
  if (branch !== null) return onBranch(tree, branch, number)
  if (tree.turns.has(text as TurnId)) return text as TurnId
  const matching = text.length < 4 ? [] : [...tree.turns.keys()].filter((id) => id.startsWith(text))
  if (matching.length > 1)
    throw new Failure('turn-ambiguous', `${matching.length} turns begin with ${text}.`, {
      hint: 'Give more characters of the id.',
    })
  return matching[0] ?? missing(text, tree)
}

function byNumber(tree: Tree, number: number): TurnId {
  return tree.line[number - 1] ?? missing(String(number), tree)
}

function splitBranch(text: string): [string, number] | [null, 0] {
  const match = /^([\w@-]{4,}):(\d+)$/.exec(text)
  return match === null ? [null, 0] : [match[1]!, Number(match[2])]
}

function onBranch(tree: Tree, name: string, number: number): TurnId {
  const matching = tree.branches.filter(({ id }) => id.startsWith(name))
  const branch = matching.length === 1 ? matching[0]! : null
  if (branch === null)
    throw new Failure('branch-not-found', `There is no branch ${name} in this session.`, {
      hint: 'Run `retake tree` to see the branches.',
    })
  const line: TurnId[] = []
  for (let at: TurnId | null = branch.tip; at !== null; at = tree.turns.get(at)!.parent)
    line.unshift(at)
  return line[number - 1] ?? missing(`${name}:${number}`, tree)
}

function missing(text: string, tree: Tree): never {
  const count = tree.line.length
  throw new Failure('turn-not-found', `There is no turn ${text} in this session.`, {
    hint: count === 0 ? 'The session has no turns.' : `Turns are numbered 1 to ${count}.`,
  })
}
