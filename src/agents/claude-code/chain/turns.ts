import type { Turn, TurnId } from '#timeline'
import { findKeptPrompts } from './kept-prompts.ts'
import { linkRows, type Links } from './link-rows.ts'
import { findResume, type Resume } from './resume.ts'
import type { Row } from '../rows/index.ts'
import type { Transcript } from '../rows/index.ts'

/** A turn with its rows; the timeline does not know rows. */
export interface TurnRows {
  readonly turn: Turn
  /** The prompt's row first; then answers, results and attachments in file order. */
  readonly rows: readonly Row[]
  /** Rows of subagents that old versions wrote into the main file. */
  readonly asides: readonly Row[]
}

export interface Conversation {
  readonly turns: readonly TurnRows[]
  readonly head: TurnId | null
  /** The row that the agent would continue from; null if the conversation is empty. */
  readonly leaf: Row | null
  /** Rows that belong to no turn and are not messages: settings, attachments. */
  readonly preamble: readonly Row[]
  /** The turn after the head whose prompt the agent still has, without its answer. */
  readonly kept: TurnId | null
}

const built = new WeakMap<Transcript, Conversation>()

/** Caches the conversation of a transcript, so that it is built once. */
export function buildConversation(transcript: Transcript): Conversation {
  const known = built.get(transcript)
  if (known !== undefined) return known
  const conversation = build(transcript)
  built.set(transcript, conversation)
  return conversation
}

/** Sets the conversation that a cache held. */
export function noteConversation(transcript: Transcript, conversation: Conversation): void {
  built.set(transcript, conversation)
}

function build(transcript: Transcript): Conversation {
  const resume = findResume(transcript.rows, transcript.pointers)
  const links = linkRows(transcript.rows, resume)
  const all = groupByTurn(links)
  const kept = findKeptPrompts(all, links.parent)
  const groups =
    kept.beside.size === 0 ? all : all.map((group) => group.filter((row) => !kept.beside.has(row)))
  const preamble = [...groups.filter((group) => !isTurn(group)).flat(), ...kept.beside]
  const starts = groups.filter(isTurn).sort((a, b) => beginOf(a) - beginOf(b))
  const ids = nameTurns(starts, links)
  const turnOf = new Map<Row, TurnId | null>(
    starts.flatMap((group, i) => group.map((row) => [row, ids[i]!])),
  )
  /** The turn that a row at this place continues. A kept prompt belongs to what follows it. */
  const turnBefore = (row: Row | null | undefined, place: number): TurnId | null => {
    const prompt = row ? kept.promptAt(row, place) : null
    if (prompt === null) return turnAbove(row, links, turnOf)
    return turnBefore(links.parent.get(prompt), prompt.place)
  }
  const keptAt = (row: Row | null | undefined, place: number): TurnId | null => {
    const prompt = row ? kept.promptAt(row, place) : null
    return (prompt !== null && turnOf.get(prompt)) || null
  }
  const parents = breakCycles(
    new Map(
      starts.map(([first], i) => [ids[i]!, turnBefore(links.parent.get(first!), first!.place)]),
    ),
  )
  const turns = starts.map((group, i) => ({
    turn: {
      ...describeTurn(group, { id: ids[i]!, parent: parents.get(ids[i]!) ?? null, links }),
      kept: keptAt(links.parent.get(group[0]!), group[0]!.place),
    },
    rows: group,
    asides: [] as Row[],
  }))
  const asides = transcript.rows.filter((row) => row.sidechain && !links.parent.has(row))
  const unplaced = placeAsides(turns, asides)
  const head = turnBefore(resume.leaf, Infinity)
  return {
    turns: markSummarized(turns, head, resume),
    head,
    leaf: resume.leaf,
    preamble: [...preamble, ...unplaced],
    kept: keptAt(resume.leaf, Infinity),
  }
}

/** Each row belongs to the nearest prompt above it, otherwise to its topmost ancestor. */
function groupByTurn({ parent, known }: Links): Row[][] {
  const start = new Map<Row, Row>()
  for (const row of parent.keys()) {
    const path: Row[] = []
    const seen = new Set<Row>()
    let at: Row | null = row
    while (at !== null && !start.has(at) && !seen.has(at)) {
      seen.add(at)
      path.push(at)
      if (isPrompt(at)) break
      at = parent.get(at) ?? null
    }
    // A cycle of parents has no root: use the row where the walk entered it.
    const found = (at !== null && start.get(at)) || path.at(-1)!
    for (const each of path) start.set(each, found)
  }
  // A prompt that is written twice is one turn: that of the row the agent uses.
  const groups = new Map<Row, Row[]>()
  for (const first of new Set(start.values())) {
    const same = known.get(first.uuid)
    const owner = same !== undefined && parent.has(same) && isRepeated(first, same) ? same : first
    if (!groups.has(owner)) groups.set(owner, [owner])
  }
  for (const [row, first] of start) {
    const owner = groups.has(first) ? first : known.get(first.uuid)!
    if (row !== owner) groups.get(owner)!.push(row)
  }
  return [...groups.values()]
}

function isRepeated(row: Row, same: Row): boolean {
  return isPrompt(row) && isPrompt(same) && row.prompt!.text === same.prompt!.text
}

/** The first place of a turn: its prompt can be written again at the end of the file. */
function beginOf(rows: readonly Row[]): number {
  return Math.min(rows[0]!.place, rows[1]?.place ?? Infinity)
}

function isTurn(group: readonly Row[]): boolean {
  return isPrompt(group[0]!) || group.some(isAnswer)
}

export function isPrompt(row: Row): boolean {
  return row.prompt !== null && row.prompt.kind !== 'not-a-turn'
}

function isAnswer(row: Row): boolean {
  return row.type === 'assistant' || row.toolResult
}

/** The row that the agent finds for a uuid gets it as its id; other rows append their place. */
function nameTurns(starts: readonly Row[][], { known }: Links): TurnId[] {
  const taken = new Set<string>()
  return starts.map(([first]) => {
    const { uuid, place } = first!
    const own = !taken.has(uuid) && (known.get(uuid) ?? first) === first
    const name = own ? uuid : `${uuid}@${place}`
    taken.add(name)
    return name as TurnId
  })
}

function describeTurn(
  group: readonly Row[],
  { id, parent, links }: { id: TurnId; parent: TurnId | null; links: Links },
): Omit<Turn, 'kept'> {
  const first = group[0]!
  const prompt = isPrompt(first) ? first.prompt! : null
  return {
    id,
    parent,
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

/** The turn that a row belongs to, or the nearest above it. Caches the result in `turnOf`. */
function turnAbove(
  row: Row | null | undefined,
  { parent }: Links,
  turnOf: Map<Row, TurnId | null>,
): TurnId | null {
  const way = new Set<Row>()
  let at = row ?? null
  while (at !== null && !turnOf.has(at) && !way.has(at)) {
    way.add(at)
    at = parent.get(at) ?? null
  }
  const found = (at !== null && turnOf.get(at)) || null
  for (const each of way) turnOf.set(each, found)
  return found
}

/** Turns in a cycle would have no root: the first of them becomes one. */
function breakCycles(parents: Map<TurnId, TurnId | null>): Map<TurnId, TurnId | null> {
  const rooted = new Set<TurnId>()
  for (const id of parents.keys()) {
    const path = new Set<TurnId>()
    let at: TurnId | null = id
    while (at !== null && !rooted.has(at) && !path.has(at)) {
      path.add(at)
      at = parents.get(at) ?? null
    }
    if (at !== null && path.has(at)) parents.set(at, null)
    for (const each of path) rooted.add(each)
  }
  return parents
}

/**
 * Old versions wrote a subagent's rows into the main file while its turn ran. Returns those before
 * the first turn.
 */
function placeAsides(
  turns: readonly { rows: readonly Row[]; asides: Row[] }[],
  asides: readonly Row[],
): Row[] {
  const unplaced: Row[] = []
  let next = 0
  for (const row of asides) {
    while (next < turns.length && beginOf(turns[next]!.rows) < row.place) next++
    const home = turns[next - 1]?.asides ?? unplaced
    home.push(row)
  }
  return unplaced
}

/** Marks turns on the path to the head that the agent knows only from a summary. */
function markSummarized(
  turns: readonly TurnRows[],
  head: TurnId | null,
  { chain }: Resume,
): TurnRows[] {
  if (chain[0]?.boundary == null) return [...turns]
  const sent = new Set(chain.map(({ uuid }) => uuid))
  const byId = new Map(turns.map((entry) => [entry.turn.id, entry]))
  const summarized = new Set<TurnId>()
  for (let at = head; at !== null; at = byId.get(at)?.turn.parent ?? null)
    if (!sent.has(byId.get(at)!.rows[0]!.uuid)) summarized.add(at)
  return turns.map((entry) =>
    summarized.has(entry.turn.id) ? { ...entry, turn: { ...entry.turn, summarized: true } } : entry,
  )
}
