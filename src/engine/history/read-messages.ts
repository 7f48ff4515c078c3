import { Failure } from '#failure'
import { numberOf, stateOf, type MessageReport, type Tree, type TurnId } from '#timeline'
import { openSlice, type Page } from '../ground/index.ts'
import type { ReadSession } from '../session/index.ts'

/**
 * The conversation as the agent would resume it: prompts and answers from the first turn to the
 * head. Tool results and system rows are not messages. Reads only the turns that the page needs.
 */
export async function readMessages(
  { open, tree }: ReadSession,
  { limit, before }: Page,
): Promise<{ messages: MessageReport[]; more: boolean }> {
  const active = tree.line.filter((id) => stateOf(tree, id) === 'active')
  const newestFirst: MessageReport[][] = []
  let count = 0
  let isBefore = before === null
  const slice = openSlice()
  for (const id of active.toReversed()) {
    await slice.pause()
    const { answers } = open.readTurn(id)
    const turn = messagesOf(tree, id, answers)
    const cut = isBefore ? -1 : turn.findIndex((message) => message.id === before)
    if (!isBefore && cut === -1) continue
    newestFirst.push(isBefore ? turn : turn.slice(0, cut))
    count += newestFirst.at(-1)!.length
    isBefore = true
    if (limit !== null && count > limit) break
  }
  if (!isBefore)
    throw new Failure('message-not-found', `The conversation has no message ${before}.`, {
      hint: 'Use an id from the list of messages.',
    })
  const found = newestFirst.toReversed().flat()
  const messages = limit === null ? found : found.slice(Math.max(0, found.length - limit))
  return { messages, more: messages.length < found.length || messages[0]?.turn.id !== active[0] }
}

type Answers = ReturnType<ReadSession['open']['readTurn']>['answers']

function messagesOf(tree: Tree, id: TurnId, answers: Answers): MessageReport[] {
  const { prompt, at, kind } = tree.turns.get(id)!
  const turn = { id, number: numberOf(tree, id) }
  const asked: MessageReport[] =
    kind === 'orphan' ? [] : [{ id, turn, role: 'user', at, text: prompt, thinking: '', steps: [] }]
  return [
    ...asked,
    ...answers.map((answer): MessageReport => ({
      id: answer.id,
      turn,
      role: 'assistant',
      at: answer.at,
      text: textOf(answer, 'said'),
      thinking: textOf(answer, 'thought'),
      steps: answer.moments.flatMap((moment) => (moment.kind === 'step' ? [moment.step] : [])),
    })),
  ]
}

function textOf({ moments }: Answers[number], kind: 'said' | 'thought'): string {
  return moments.flatMap((moment) => (moment.kind === kind ? [moment.text] : [])).join('\n\n')
}
