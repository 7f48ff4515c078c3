import type { TurnId } from '#timeline'
import { openSession } from '../session/index.ts'
import { findSessionFile } from '../session/index.ts'
import { openSessionIndex } from '../session/index.ts'
import { linesAfter } from '../move/index.ts'
import { field, string } from '../rows/index.ts'
import { slugOf } from '../steps/index.ts'
import { writesPointers } from '../move/index.ts'

/**
 * A session of two short turns, to see where a version of the agent continues: with the lines that
 * an undo appends, or with those of an undo and a redo. The same code creates the lines for the
 * user's own sessions, so the probe tests exactly these.
 */
export interface ProbeSession {
  readonly id: string
  /** The prompt that continues the session. */
  readonly prompt: string
  /** The exact conversation that the agent must send. */
  readonly expected: readonly Message[]
}

interface Message {
  readonly role: string
  readonly text: string
}

export interface ProbeFacts {
  readonly version: string
  readonly config: string
  readonly cwd: string
  readonly at: Date
  newId(): string
  /** Replaces the session's file with this text. */
  write(path: string, text: string): void
}

export function writeProbeSession(moved: 'undone' | 'redone', facts: ProbeFacts): ProbeSession {
  const id = facts.newId()
  const path = `${facts.config}/projects/${slugOf(facts.cwd)}/${id}.jsonl`
  const turns = [1, 2].map((number) => turnOf(number, facts))
  let text = linesOf(id, turns, facts)
  const [first, second] = turns.map(({ prompt }) => prompt as TurnId)
  const goals = moved === 'undone' ? [first!] : [first!, second!]
  facts.write(path, text)
  for (const turn of goals) {
    const file = findSessionFile(facts.config, id)!
    const planned = linesAfter(
      openSession(facts.config, file, openSessionIndex(null)),
      { turn, next: turn === first ? second! : null },
      { uuid: facts.newId(), at: facts.at, says: 'Retake tries a version.' },
    )
    if (planned.kind === 'lines') text += planned.bytes.toString('utf8')
    facts.write(path, text)
  }
  const prompt = `go on ${id}`
  const kept = turns.slice(0, goals.length).flatMap(({ messages }) => messages)
  return { id, prompt, expected: [...kept, { role: 'user', text: prompt }] }
}

interface ProbeTurn {
  readonly prompt: string
  readonly answer: string
  readonly messages: readonly Message[]
}

function turnOf(number: number, facts: ProbeFacts): ProbeTurn {
  const tag = facts.newId()
  return {
    prompt: facts.newId(),
    answer: facts.newId(),
    messages: [
      { role: 'user', text: `ask ${number} ${tag}` },
      { role: 'assistant', text: `answer ${number} ${tag}` },
    ],
  }
}

function linesOf(id: string, turns: readonly ProbeTurn[], facts: ProbeFacts): string {
  const { version, cwd, at } = facts
  const common = { isSidechain: false, userType: 'external', cwd, sessionId: id, version }
  const timestamp = at.toISOString()
  const rows: object[] = turns.flatMap(({ prompt, answer, messages: [ask, answered] }, i) => [
    {
      parentUuid: turns[i - 1]?.answer ?? null,
      ...common,
      gitBranch: '',
      type: 'user',
      promptSource: 'sdk',
      message: { role: 'user', content: ask!.text },
      uuid: prompt,
      timestamp,
    },
    {
      parentUuid: prompt,
      ...common,
      gitBranch: '',
      type: 'assistant',
      message: {
        id: `msg_${i + 1}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-sonnet-4-5',
        content: [{ type: 'text', text: answered!.text }],
        stop_reason: 'end_turn',
        stop_sequence: null,
        usage: { input_tokens: 1, output_tokens: 1 },
      },
      uuid: answer,
      timestamp,
    },
  ])
  if (writesPointers(version))
    rows.push({ type: 'last-prompt', leafUuid: turns.at(-1)!.answer, sessionId: id })
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('')
}

/**
 * Whether the agent sent exactly the expected conversation. Requests without the prompt, such as
 * for a title, do not count; every request with it must match.
 */
export function isObeyed(bodies: readonly unknown[], { expected }: ProbeSession): boolean {
  const prompt = expected.at(-1)!.text
  const sent = bodies
    .map(messagesIn)
    .filter((messages) => messages.some(({ text }) => text.includes(prompt)))
  return sent.length > 0 && sent.every((messages) => isSame(messages, expected))
}

function isSame(messages: readonly Message[], expected: readonly Message[]): boolean {
  return (
    messages.length === expected.length &&
    expected.every(({ role, text }, i) => messages[i]!.role === role && messages[i]!.text === text)
  )
}

/** The texts of a request, without what the agent adds to prompts itself. */
function messagesIn(body: unknown): Message[] {
  const messages = field(body, 'messages')
  return (Array.isArray(messages) ? messages : []).map((message: unknown) => ({
    role: string(field(message, 'role')) ?? '',
    text: textsOf(field(message, 'content')).filter(isNotReminder).join('\n').trim(),
  }))
}

function textsOf(content: unknown): string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  // A block without text, such as a tool call, cannot match the session.
  return content.map((block: unknown) => string(field(block, 'text')) ?? 'no text')
}

function isNotReminder(text: string): boolean {
  return !/^\s*<system-reminder>[\s\S]*<\/system-reminder>\s*$/.test(text)
}
