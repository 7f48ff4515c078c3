import { expect, test } from 'vitest'
import { readSlash } from './slash.ts'

test('[B13] /undo and /redo become plans; what the agent knows, or nobody, stays a prompt', () => {
  expect(readSlash('/undo')).toEqual({ verb: 'undo' })
  expect(readSlash(' /undo 3 ')).toEqual({ verb: 'undo', count: 3 })
  expect(readSlash('/redo all')).toEqual({ verb: 'redo', all: true })
  expect(readSlash('/redo 2')).toEqual({ verb: 'redo', count: 2 })
  expect(readSlash('/back')).toEqual({ verb: 'undo', only: 'chat' })
  const prompts = ['/compact', '/undo it', 'undo', '/undo all', '/undone', '/back 2', 'say /undo']
  expect(prompts.map(readSlash).filter((each) => each !== null)).toEqual([])
})
