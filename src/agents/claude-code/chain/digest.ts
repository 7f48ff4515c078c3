import { buildTree, type TurnId } from '#timeline'
import type { Row } from '../rows/index.ts'
import { factsOf } from './turn-facts.ts'
import type { Transcript } from '../rows/index.ts'
import type { Conversation } from './turns.ts'

/** The summary data of a session's rows, cached so that a short log need not load all rows. */
export interface Digest {
  readonly turns: number
  /** Prompts and answers on the path to the head. */
  readonly messages: number
  readonly branches: number
  readonly forkedFrom: { readonly session: string; readonly uuid: string } | null
  /** The directories in which prompts were sent, without duplicates, in order. */
  readonly directories: readonly string[]
  /** The latest time of any row; null without turns. */
  readonly latest: string | null
  /** Rows that list the additional directories of the agent (`--add-dir`). */
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

/** From all rows, or from the rows after `before`. */
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
