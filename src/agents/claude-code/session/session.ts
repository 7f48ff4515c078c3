import { editsOf, stepsOf, tokensOf, type Moment, type TurnId } from '#timeline'
import type { OpenOptions } from '../../session-source.ts'
import { readCheckpoints } from '../steps/index.ts'
import { readMoments } from '../steps/index.ts'
import type { ClaudeSession } from './claude-session.ts'
import { fileHistoryDirectory } from '../steps/index.ts'
import { readImages, readModel } from '../steps/index.ts'
import type { ClaudeFile } from './session-files.ts'
import type { ClaudeIndex } from './session-index.ts'
import { agentFromAsides, findSubagents } from '../steps/index.ts'
import { summarize } from './summary.ts'
import type { Conversation, TurnRows } from '../chain/index.ts'

export function openSession(
  config: string,
  file: ClaudeFile,
  index: ClaudeIndex,
  options?: OpenOptions,
): ClaudeSession {
  const transcript = index.transcript(file.path, options)
  const conversation = index.conversation(transcript)
  const summary = summarize(file, transcript, conversation)
  const turns = turnsById(conversation)
  const agents = findSubagents(file.path)
  const checkpoints = readCheckpoints(transcript, {
    fileHistory: fileHistoryDirectory(config, file.id),
    cwd: summary.project ?? '',
  })
  return {
    file,
    transcript,
    conversation,
    summary,
    entryOf: (id) => turns.get(id)!.entry,
    readTurn(id) {
      const { entry } = turns.get(id)!
      const { moments, answers, tokens } = readMoments(file.path, entry.rows, {
        by: 'agent',
        findAgent: agents.find,
        agentsAside: entry.asides.length > 0,
      })
      const all = [...moments, ...asideMoments(file.path, entry)]
      return {
        moments: all,
        hasAgents: stepsOf(all).some((step) => step.agent !== null),
        answers,
        tokens: tokensOf(tokens, stepsOf(all)),
        messages: answers.length + (entry.turn.kind === 'orphan' ? 0 : 1),
        edits: editsOf(stepsOf(all)).map((edit) => ({
          ...edit,
          before: checkpoints.before(entry.rows[0]!.uuid, edit),
          after: checkpoints.after(entry.rows[0]!.uuid, edit),
        })),
      }
    },
    readImages: (id) => readImages(file.path, turns.get(id)!.entry.rows[0]),
    readModel: (id) => readModel(file.path, turns.get(id)!.entry.rows),
    versionOf(id) {
      const { entry, n } = turns.get(id)!
      const { rows, asides } = entry
      // The checkpoint of a turn's results is made when the next turn begins, or the one after.
      const end = conversation.turns[n + 2]?.rows[0]!.place ?? Infinity
      const backups = countBefore(transcript.checkpoints, end)
      const parts = [rows.length, rows.at(-1)!.place, asides.length, backups, agents.stamp(rows)]
      return { key: rows[0]!, stamp: parts.join(' ') }
    },
  }
}

type TurnsById = ReadonlyMap<TurnId, { readonly entry: TurnRows; readonly n: number }>
const byId = new WeakMap<Conversation, TurnsById>()

/** Cached, because a server opens the same session for every request. */
function turnsById(conversation: Conversation): TurnsById {
  const known = byId.get(conversation)
  if (known !== undefined) return known
  const turns = new Map(conversation.turns.map((entry, n) => [entry.turn.id, { entry, n }]))
  byId.set(conversation, turns)
  return turns
}

/** How many of these rows, which are in file order, begin before a place. */
function countBefore(rows: readonly { readonly place: number }[], end: number): number {
  let [from, to] = [0, rows.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (rows[middle]!.place < end) from = middle + 1
    else to = middle
  }
  return from
}

function asideMoments(path: string, { asides }: TurnRows): Moment[] {
  if (asides.length === 0) return []
  const agent = agentFromAsides(path, asides)
  const step = {
    id: `aside-${asides[0]!.place}`,
    tool: 'Task',
    kind: 'agent' as const,
    about: '',
    at: asides[0]!.at,
    outcome: 'ok' as const,
    edits: [],
    unknownEffect: null,
    agent,
  }
  return [{ kind: 'step', step }]
}
