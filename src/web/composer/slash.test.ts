import { expect, test } from 'vitest'
import { readSlash, slashHelp } from './slash.ts'

test('[B13] /undo and /redo become plans; the agent’s commands and unknown ones stay prompts', () => {
  expect(readSlash('/undo')).toEqual({ verb: 'undo' })
  expect(readSlash(' /undo 3 ')).toEqual({ verb: 'undo', count: 3 })
  expect(readSlash('/redo all')).toEqual({ verb: 'redo', all: true })
  expect(readSlash('/redo 2')).toEqual({ verb: 'redo', count: 2 })
  expect(readSlash('/back')).toEqual({ verb: 'undo', only: 'chat' })
  const prompts = ['/compact', '/undo it', 'undo', '/undo all', '/undone', '/back 2', 'say /undo']
  expect(prompts.map(readSlash).filter((each) => each !== null)).toEqual([])
})

test('[B13] only a malformed command to Retake shows its usage', () => {
  for (const wrong of ['/undo it', '/undo all', '/redo two', '/back 2'])
    expect(slashHelp(wrong)).toMatch(/^Type \/(undo|redo|back)/)
  const right = ['/undo', '/undo 2', '/redo all', '/undone', 'say /undo', '/compact', 'undo']
  expect(right.map(slashHelp).filter((each) => each !== null)).toEqual([])
})
