import { expect, test } from 'vitest'
import { guardLive } from './guard-live.ts'
import type { Unsent } from './live-connection.ts'
import type { Live } from './live-connection.ts'

function recorded(): { live: Live; sent: string[] } {
  const sent: string[] = []
  const live: Live = {
    sendAudio: () => sent.push('audio'),
    endAudio: () => sent.push('end'),
    tell: (text) => sent.push(`tell ${text}`),
    answer: ({ id }) => sent.push(`answer ${id}`),
    close: () => sent.push('close'),
  }
  return { live, sent }
}

test('[G10] nothing is sent into a closing connection; answers go to the next one', () => {
  const [first, second] = [recorded(), recorded()]
  const unsent: Unsent[] = []
  let state: number = WebSocket.OPEN
  const live = guardLive(
    first.live,
    () => state === WebSocket.OPEN,
    (each) => unsent.push(each),
  )
  const say = (): void => {
    live.sendAudio(new Int16Array())
    live.endAudio()
    live.tell('news')
    live.answer({ id: 'call-1', name: 'undo' }, {})
  }
  say()
  expect(first.sent).toEqual(['audio', 'end', 'tell news', 'answer call-1'])
  state = WebSocket.CLOSING
  say()
  expect(first.sent).toHaveLength(4)
  for (const each of unsent) each(second.live)
  expect(second.sent).toEqual(['tell news', 'answer call-1'])
})
