import type { Turn, TurnId } from '#timeline'
import { findResume } from './resume.ts'
import type { Row } from './row.ts'
import type { Transcript } from './transcript.ts'

/** A turn with the rows it consists of; the timeline knows nothing of rows. */
export interface TurnRows {
  readonly turn: Turn
  /** The prompt's row first; then answers, results, attachments, in the order they were written. */
  readonly rows: readonly Row[]
  /** Rows of subagents that old versions wrote into the main file. */
  readonly asides: readonly Row[]
}

export interface Conversation {
  readonly turns: readonly TurnRows[]
  readonly head: TurnId | null
  /** The row the agent would continue from; null when the conversation is empty. */
  readonly leaf: Row | null
  /** Rows from before the first prompt that say nothing: settings, attachments. */
  readonly preamble: readonly Row[]
}

export function buildConversation(transcript: Transcript): Conversation {
  const rows = transcript.rows.filter((row) => row.type !== 'progress' || row.sidechain)
  const chain = rows.filter((row) => !row.sidechain)
  const graph = linkRows(transcript.rows, chain)
  const groups = groupByTurn(chain, graph)
  const preamble = groups.orphans.filter((group) => !group.some(isAnswer)).flat()
  const orphans = groups.orphans.filter((group) => group.some(isAnswer))
  const starts = [...groups.turns.values(), ...orphans].sort((a, b) => a[0]!.place - b[0]!.place)

  const ids = nameTurns(starts)
  const idOfRow = new Map(starts.flatMap((group, i) => group.map((row) => [row, ids[i]!])))
  const { leaf } = findResume(transcript.rows, transcript.pointers)
  const asides = rows.filter((row) => row.sidechain)
  const turns = starts.map((group, i) => ({
    turn: describeTurn(group, ids[i]!, graph, idOfRow),
    rows: group,
    asides: [] as Row[],
  }))
  placeAsides(turns, asides)
  return { turns: markSummarized(turns), head: headOf(leaf, idOfRow, graph), leaf, preamble }
}

/** Parents as rows, so that two rows with one uuid cannot be mistaken for each other below. */
interface Links {
  readonly parent: Map<Row, Row | null>
  readonly missing: Set<Row>
}

/** The gap that the agent bridges by time when a parent is not in the file. */
const BRIDGE = 5000

function linkRows(all: readonly Row[], chain: readonly Row[]): Links {
  const byUuid = new Map(all.map((row) => [row.uuid, row]))
  const links: Links = { parent: new Map(), missing: new Set() }
  for (const [index, row] of chain.entries()) {
    // Over a boundary the timeline goes on to where the conversation really came from.
    const name = row.parent ?? row.boundary?.logicalParent ?? null
    let parent = name === null ? null : (byUuid.get(name) ?? null)
    const seen = new Set<Row>()
    while (parent?.type === 'progress' && !seen.has(parent)) {
      seen.add(parent)
      parent = parent.parent === null ? null : (byUuid.get(parent.parent) ?? null)
    }
    if (parent === null && name !== null) {
      parent = row.boundary ? (chain[index - 1] ?? null) : bridge(chain, row)
      if (parent === null) links.missing.add(row)
    }
    links.parent.set(row, parent === row ? null : parent)
  }
  return links
}

/** The newest row at most five seconds older: what the agent does with a gap in a file. */
function bridge(chain: readonly Row[], row: Row): Row | null {
  const time = Date.parse(row.at ?? '')
  let best: Row | null = null
  let bestTime = -Infinity
  for (const other of chain) {
    if (other === row || other.place > row.place) continue
    const otherTime = Date.parse(other.at ?? '')
    if (otherTime <= time && time - otherTime <= BRIDGE && otherTime > bestTime) {
      best = other
      bestTime = otherTime
    }
  }
  return best
}

/** Each row belongs to the nearest prompt above it. */
function groupByTurn(
  chain: readonly Row[],
  { parent }: Links,
): { turns: Map<Row, Row[]>; orphans: Row[][] } {
  const start = new Map<Row, Row>()
  for (const row of chain) {
    const path: Row[] = []
    let at: Row | null = row
    const seen = new Set<Row>()
    while (at !== null && !start.has(at) && !seen.has(at)) {
      seen.add(at)
      path.push(at)
      if (isPrompt(at)) break
      at = parent.get(at) ?? null
    }
    // A ring of parents has no root: its first row in the file stands for one.
    const found = at === null || seen.has(at) ? (isStart(at) ?? path.at(-1)!) : start.get(at)!
    for (const each of path) start.set(each, found)
  }
  const turns = new Map<Row, Row[]>()
  const orphans = new Map<Row, Row[]>()
  for (const row of chain) {
    const first = start.get(row)!
    const groups = isPrompt(first) ? turns : orphans
    const group = groups.get(first)
    if (group) group.push(row)
    else groups.set(first, row === first ? [row] : [first, row])
  }
  for (const group of turns.values()) dropRepeated(group)
  return { turns, orphans: [...orphans.values()] }
}

function isStart(row: Row | null): Row | null {
  return row !== null && isPrompt(row) ? row : null
}

function dropRepeated(group: Row[]): void {
  const unique = [...new Set(group)]
  group.splice(0, group.length, ...unique)
}

function isPrompt(row: Row): boolean {
  return row.prompt !== null && row.prompt.kind !== 'not-a-turn'
}

function isAnswer(row: Row): boolean {
  return row.type === 'assistant' || row.toolResult
}

function nameTurns(starts: readonly Row[][]): TurnId[] {
  const taken = new Set<string>()
  return starts.map(([first]) => {
    const name = taken.has(first!.uuid) ? `${first!.uuid}@${first!.place}` : first!.uuid
    taken.add(name)
    return name as TurnId
  })
}

function describeTurn(
  group: readonly Row[],
  id: TurnId,
  links: Links,
  idOfRow: ReadonlyMap<Row, TurnId>,
): Turn {
  const first = group[0]!
  const prompt = isPrompt(first) ? first.prompt! : null
  return {
    id,
    parent: parentTurn(first, id, links, idOfRow),
    kind:
      prompt === null ? 'orphan' : prompt.kind === 'typed' ? 'prompt' : (prompt.kind as 'command'),
    prompt: prompt?.text ?? '',
    at: first.at,
    absorbed: group.flatMap((row) => row.absorbed ?? []),
    interrupted: group.some((row) => row.prompt?.role === 'interrupt'),
    parentMissing: links.missing.has(first),
    summarized: false,
  }
}

function parentTurn(
  first: Row,
  id: TurnId,
  { parent }: Links,
  idOfRow: ReadonlyMap<Row, TurnId>,
): TurnId | null {
  const seen = new Set<Row>()
  let at = parent.get(first) ?? null
  while (at !== null && !seen.has(at)) {
    seen.add(at)
    const turn = idOfRow.get(at)
    if (turn !== undefined && turn !== id) return turn
    at = parent.get(at) ?? null
  }
  return null
}

function headOf(
  leaf: Row | null,
  idOfRow: ReadonlyMap<Row, TurnId>,
  { parent }: Links,
): TurnId | null {
  const seen = new Set<Row>()
  let at = leaf
  while (at !== null && !seen.has(at)) {
    const turn = idOfRow.get(at)
    if (turn !== undefined) return turn
    seen.add(at)
    at = parent.get(at) ?? null
  }
  return null
}

/** Old versions wrote a subagent's rows into the main file while its turn ran. */
function placeAsides(
  turns: { rows: readonly Row[]; asides: Row[] }[],
  asides: readonly Row[],
): void {
  for (const aside of asides)
    turns.findLast(({ rows }) => rows[0]!.place < aside.place)?.asides.push(aside)
}

/** A boundary replaces all turns before its own on that line by a summary. */
function markSummarized(turns: { turn: Turn; rows: readonly Row[]; asides: Row[] }[]): TurnRows[] {
  const byId = new Map(turns.map((entry) => [entry.turn.id, entry]))
  const summarized = new Set<TurnId>()
  for (const { turn, rows } of turns) {
    if (!rows.some((row) => row.boundary !== null)) continue
    for (let at: TurnId | null = turn.id; at !== null && !summarized.has(at);) {
      summarized.add(at)
      at = byId.get(at)?.turn.parent ?? null
    }
  }
  return turns.map((entry) =>
    summarized.has(entry.turn.id) ? { ...entry, turn: { ...entry.turn, summarized: true } } : entry,
  )
}
