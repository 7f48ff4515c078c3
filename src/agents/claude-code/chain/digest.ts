import { buildTree, type TurnId } from '#timeline'
import type { Row } from '../rows/index.ts'
import { factsOf } from './turn-facts.ts'
import type { Transcript } from '../rows/index.ts'
import type { Conversation } from './turns.ts'

/** What a summary says of a session's rows, kept so that a short log does not load all of them. */
export interface Digest {
  readonly turns: number
  /** Prompts and answers on the way to the head. */
  readonly messages: number
  readonly branches: number
  readonly forkedFrom: { readonly session: string; readonly uuid: string } | null
  /** The directories in which prompts were sent, each once, in their order. */
  readonly directories: readonly string[]
  /** The newest time that a row names; null without turns. */
  readonly latest: string | null
  /** Rows that name the directories which the agent was given (`--add-dir`). */
  readonly environments: readonly RowSpan[]
}

type RowSpan = Pick<Row, 'place' | 'length'>

const known = new WeakMap<Conversation, Digest>()

export function digestOf(transcript: Transcript, conversation: Conversation): Digest {
  let digest = known.get(conversation)
  if (digest === undefined)
    noteDigest(conversation, (digest = makeDigest(transcript.rows, conversation)))
  return digest
}

export function noteDigest(conversation: Conversation, digest: Digest): void {
  known.set(conversation, digest)
}

const NOTHING: Pick<Digest, 'forkedFrom' | 'directories' | 'latest' | 'environments'> = {
  forkedFrom: null,
  directories: [],
  latest: null,
  environments: [],
}

/** From all rows, or from those that came after `before`. */
export function makeDigest(
  rows: readonly Row[],
  conversation: Conversation,
  before = NOTHING,
): Digest {
  const turns = conversation.turns.map(({ turn }) => turn)
  const tree = buildTree('', turns, conversation.head)
  const directories = new Set(before.directories)
  const environments = [...before.environments]
  let { forkedFrom, latest } = before
  for (const { prompt, at, subtype, place, length } of rows) {
    if (subtype === 'environment') environments.push({ place, length })
    if (prompt !== null && prompt.cwd !== null) directories.add(prompt.cwd)
    forkedFrom ??= prompt?.forkedFrom ?? null
    if (at !== null && at > (latest ?? '')) latest = at
  }
  return {
    turns: tree.line.length,
    messages: countMessages(conversation),
    branches: tree.branches.length,
    forkedFrom,
    directories: [...directories],
    latest: turns.length === 0 ? null : latest,
    environments,
  }
}

function countMessages({ turns, head }: Conversation): number {
  const byId = new Map(turns.map((entry) => [entry.turn.id, entry]))
  let count = 0
  for (let at: TurnId | null = head; at !== null; at = byId.get(at)?.turn.parent ?? null)
    count += factsOf(byId.get(at)!).messages
  return count
}
