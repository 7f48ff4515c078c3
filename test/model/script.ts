import type { Block } from './blocks.ts'
import type { MessagesBody } from './conversation.ts'

/** What the model says: text, one block, or several blocks. */
type Said = string | Block | readonly (string | Block)[]

/** One answer of the model: fixed, computed from the request, or with injected trouble. */
export type Round = Said | ((request: MessagesBody) => Said) | Trouble

export interface Trouble {
  readonly blocks?: Said
  /** Delays before the answer and between its parts. */
  readonly delayMs?: number
  readonly betweenMs?: number
  /**
   * Holds the answer until `model.release()`: `before` sends nothing at all, `after` sends the
   * blocks and keeps the stream open.
   */
  readonly hang?: 'before' | 'after'
  /** Answers with an HTTP error. The next entry of the script answers the agent's retry. */
  readonly error?: { readonly status: number; readonly type?: string; readonly message?: string }
  /** Sends the blocks, then cuts the connection in the middle of the stream. */
  readonly broken?: boolean
  readonly usage?: Readonly<Record<string, number>>
}

export interface Answer extends Omit<Trouble, 'blocks'> {
  readonly blocks: readonly Block[]
  /** Computes the blocks from the request. */
  readonly reply?: (request: MessagesBody) => Said
}

/** Resolves `reply` to blocks. */
export function replyTo({ reply, ...answer }: Answer, request: MessagesBody): Answer {
  return reply === undefined ? answer : { ...answer, blocks: toBlocks(reply(request)) }
}

/** The script for one prompt. */
export class Rule {
  readonly #prompt: string | RegExp
  readonly #rounds: readonly { readonly failures: readonly Answer[]; readonly answer?: Answer }[]
  readonly #failed = new Map<number, number>()

  constructor(prompt: string | RegExp, rounds: string | readonly Round[]) {
    this.#prompt = prompt
    this.#rounds = group((typeof rounds === 'string' ? [rounds] : rounds).map(toAnswer))
  }

  matches(prompt: string): boolean {
    return matches(this.#prompt, prompt)
  }

  /**
   * The answer to a request with `answered` answers since the prompt. It depends on the request
   * alone, so a prompt that returns after an undo starts again. Only failures are counted, or the
   * agent's retries would never succeed.
   */
  answer(answered: number): Answer | undefined {
    const round = this.#rounds[answered]
    if (round === undefined) return undefined
    const failed = this.#failed.get(answered) ?? 0
    this.#failed.set(answered, failed + 1)
    // A script that ends in a failure means that the model stays down.
    return round.failures[failed] ?? round.answer ?? round.failures.at(-1)
  }
}

export function matches(wanted: string | RegExp, prompt: string): boolean {
  return typeof wanted === 'string' ? wanted === prompt : prompt.search(wanted) >= 0
}

function group(answers: readonly Answer[]): { failures: Answer[]; answer?: Answer }[] {
  const rounds: { failures: Answer[]; answer?: Answer }[] = []
  let failures: Answer[] = []
  for (const answer of answers) {
    if (isFailure(answer)) {
      failures.push(answer)
    } else {
      rounds.push({ failures, answer })
      failures = []
    }
  }
  if (failures.length > 0) rounds.push({ failures })
  return rounds
}

function isFailure(answer: Answer): boolean {
  return answer.error !== undefined || answer.broken === true
}

function toAnswer(round: Round): Answer {
  if (typeof round === 'function') return { blocks: [], reply: round }
  if (isTrouble(round)) return { ...round, blocks: toBlocks(round.blocks ?? []) }
  return { blocks: toBlocks(round) }
}

function isTrouble(round: Said | Trouble): round is Trouble {
  return typeof round === 'object' && !Array.isArray(round) && !('kind' in round)
}

function toBlocks(given: Said): Block[] {
  const list = typeof given === 'string' || 'kind' in given ? [given] : given
  return list.map((block) =>
    typeof block === 'string' ? { kind: 'text' as const, text: block } : block,
  )
}
