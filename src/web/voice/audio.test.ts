import { expect, test } from 'vitest'
import { fromBase64, levelOf, makeResampler, toBase64, toPcm } from './pcm.ts'
import { gate } from './gate.ts'
import { microphoneWords } from './microphone.ts'
import { readCall } from './read-call.ts'
import { makeTranscript } from './transcript.ts'
import { makeVoiceActivity } from './voice-activity.ts'

const tone = (rate: number, hertz: number, seconds: number): Float32Array =>
  Float32Array.from({ length: rate * seconds }, (_, at) =>
    Math.sin((2 * Math.PI * hertz * at) / rate),
  )

test.each([48_000, 44_100])(
  '[G10] %i samples a second become 16,000, in chunks of any size',
  (rate) => {
    const whole = makeResampler(rate, 16_000)(tone(rate, 300, 1))
    expect(whole.length).toBeGreaterThanOrEqual(15_999)
    expect(whole.length).toBeLessThanOrEqual(16_000)
    const resample = makeResampler(rate, 16_000)
    const pieces: number[] = []
    const source = tone(rate, 300, 1)
    for (let at = 0; at < source.length; at += 128)
      pieces.push(...resample(source.subarray(at, at + 128)))
    expect(pieces.length).toBe(whole.length)
    for (const [at, sample] of pieces.entries()) expect(sample).toBeCloseTo(whole[at] ?? NaN, 5)
    // Speech keeps its level; tones too high for the lower rate do not turn into speech.
    expect(levelOf(toPcm(whole))).toBeCloseTo(Math.SQRT1_2, 1)
    expect(levelOf(toPcm(makeResampler(rate, 16_000)(tone(rate, 15_500, 1))))).toBeLessThan(0.2)
  },
)

test('[G10] sound survives encoding as text', () => {
  const pcm = Int16Array.from({ length: 20_001 }, (_, at) => ((at * 7919) % 65_536) - 32_768)
  expect(fromBase64(toBase64(pcm))).toEqual(pcm)
})

test('[G10] speech starts above the background noise, and ends after a pause, not after a breath', () => {
  const hear = makeVoiceActivity()
  const all = (level: number, times: number) => Array.from({ length: times }, () => hear(level))
  expect(new Set(all(0.01, 50))).toEqual(new Set(['silence']))
  expect(hear(0.4)).toBe('silence')
  expect(hear(0.01)).toBe('silence')
  expect(all(0.3, 3)).toEqual(['silence', 'begins', 'speaks'])
  expect(new Set(all(0.01, 10))).toEqual(new Set(['speaks']))
  expect(new Set(all(0.3, 200))).toEqual(new Set(['speaks']))
  expect(all(0.01, 25).filter((each) => each === 'ends')).toHaveLength(1)
})

test('[G10] silence is not sent; the beginning of a word is', () => {
  const sent: (number | 'end')[] = []
  const hear = gate({
    send: (pcm) => sent.push(...pcm.subarray(0, 1)),
    end: () => sent.push('end'),
  })
  const piece = (value: number) => new Int16Array(640).fill(value)
  for (let n = 0; n < 100; n += 1) hear(piece(0), 'hands-free')
  expect(sent).toEqual([])
  for (let n = 0; n < 5; n += 1) hear(piece(9000), 'hands-free')
  // The pieces just before are sent too: a word begins before it is loud.
  expect(sent).toEqual([0, 0, 0, 0, 0, 9000, 9000, 9000, 9000, 9000])
  for (let n = 0; n < 60; n += 1) hear(piece(0), 'hands-free')
  expect(sent.at(-1)).toBe('end')
  const before = sent.length
  for (let n = 0; n < 5; n += 1) hear(piece(9000), 'closed')
  expect(sent).toHaveLength(before)
  hear(piece(1), 'held')
  hear(piece(1), 'closed')
  expect(sent.slice(before)).toEqual([1, 'end'])
})

test.each([
  ['NotAllowedError', 'blocks the microphone on this page'],
  ['NotFoundError', 'There is no microphone'],
  ['OverconstrainedError', 'choose another'],
  ['NotReadableError', 'Another program may be using it'],
  ['OddError', 'could not be opened'],
])('[G10] a microphone that fails with %s says “%s”', (name, words) => {
  expect(microphoneWords(new DOMException('', name))).toContain(words)
})

test('[G10] invalid tool calls of a model are refused before anything is planned', () => {
  expect(readCall('undo', { count: 2, only: 'chat' })).toEqual({
    tool: 'undo',
    command: { verb: 'undo', count: 2, only: 'chat' },
  })
  expect(readCall('rewind', { turn: 3, before: null })).toEqual({
    tool: 'rewind',
    command: { verb: 'rewind', turn: 3 },
  })
  expect(readCall('go_back', {})).toEqual({ tool: 'go_back', command: { verb: 'back' } })
  for (const [name, args] of [
    ['delete_everything', {}],
    ['go_back', { count: 2 }],
    ['undo', { count: 0 }],
    ['undo', { count: '2' }],
    ['undo', { only: 'everything' }],
    ['rewind', {}],
    ['converse', { prompt: ' ' }],
    ['answer_approval', { allow: 'yes' }],
  ] as const)
    expect(readCall(name, args)).toEqual({ wrong: expect.any(String) as string })
})

test('[G9] pieces of speech become lines in the order in which they were spoken', async () => {
  const lines: string[] = []
  const slow = async (by: string, text: string): Promise<void> => {
    await Promise.resolve()
    lines.push(`${by}: ${text}`)
  }
  const transcript = makeTranscript(slow)
  for (const piece of ['go ', 'back', ' please']) transcript.add('you', piece)
  expect(transcript.heard).toBe('go back please')
  transcript.add('voice', 'Done.')
  transcript.add('you', ' thanks ')
  await transcript.flush()
  await transcript.flush()
  expect(lines).toEqual(['you: go back please', 'voice: Done.', 'you: thanks'])
})

test('[G9] a failed line is reported to the caller that waits for it, and the next one is tried', async () => {
  const lines: string[] = []
  let works = false
  const transcript = makeTranscript((_, text) =>
    works ? Promise.resolve(void lines.push(text)) : Promise.reject(new Error('full')),
  )
  transcript.add('you', 'go back')
  await expect(transcript.flush()).rejects.toThrow('full')
  works = true
  transcript.add('you', 'again')
  await transcript.flush()
  expect(lines).toEqual(['again'])
})
