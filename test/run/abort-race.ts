import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { bash, write } from '../model/index.ts'
import type { RunScene } from './played-run.ts'

/**
 * Stops a turn at a random moment and undoes it. Nothing of it may remain in the conversation or
 * the files, however late the agent writes.
 */
export async function raceOnce(r: RunScene, number: number, waitMs: number): Promise<void> {
  const prompt = `race ${number}`
  r.model.on(prompt, [
    { blocks: [write(`f${number}`, 'x\n')], betweenMs: 30 },
    { blocks: [bash(`echo y >> shared`)], delayMs: 30 },
    { blocks: ['one ', 'two ', 'three '], betweenMs: 60 },
  ])
  const before = await r.s.files()
  const run = r.converse(prompt)
  await sleep(waitMs)
  const late = run.state === 'ended'
  await r.operate({ verb: 'undo', count: 1 })
  const logged = run.log.events.length
  expect(await r.s.files(), `${prompt} after ${waitMs} ms`).toEqual(before)
  expect(r.prompts(), `${prompt} after ${waitMs} ms`).toEqual(['hello'])
  expect(run.log.events.length).toBe(logged)
  if (!late) expect(await run.ended).toBe('interrupted')
}
