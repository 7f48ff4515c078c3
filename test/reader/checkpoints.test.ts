import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Recorded, RecordedEdit } from '#timeline'
import { temporary } from '../crash/world.ts'
import { readCheckpoints } from '../../src/agents/claude-code/steps/checkpoints.ts'
import { readTranscript } from '../../src/agents/claude-code/rows/transcript.ts'

/** The content of `a.txt` according to a checkpoint, if the transcript recorded `before`. */
function beforeOf(backup: string, files: Record<string, string>, before: Recorded): Recorded {
  using t = temporary()
  const fileHistory = join(t.path, 'file-history')
  mkdirSync(fileHistory)
  for (const [name, text] of Object.entries(files)) writeFileSync(join(fileHistory, name), text)
  const path = join(t.path, 'session.jsonl')
  const snapshot = { trackedFileBackups: { 'a.txt': { backupFileName: backup } } }
  writeFileSync(
    path,
    `${JSON.stringify({ type: 'file-history-snapshot', messageId: 'turn', snapshot })}\n`,
  )
  const edit: RecordedEdit = {
    step: 'step',
    path: '/p/a.txt',
    before,
    after: { kind: 'unknown', why: '' },
    pieces: [],
    by: 'agent',
    at: null,
  }
  return readCheckpoints(readTranscript(path), { fileHistory, cwd: '/p' }).before('turn', edit)
}

const NAME = '0123456789abcdef@v1'
const text: Recorded = { kind: 'text', text: 'one\ntwo\n' }

test('[F4] a checkpoint gives the exact bytes of recorded text', () => {
  const found = beforeOf(NAME, { [NAME]: 'one\r\ntwo\r\n' }, text)
  expect(found).toEqual({ kind: 'bytes', bytes: Buffer.from('one\r\ntwo\r\n') })
})

test('[I7] a backup whose name was reused for other bytes does not count', () => {
  expect(beforeOf(NAME, { [NAME]: 'three\n' }, text)).toEqual(text)
})

test('[S10] the name of a backup leads only to the backups', () => {
  const unknown: Recorded = { kind: 'unknown', why: 'not recorded' }
  for (const name of ['../secret', `../file-history/${NAME}`, '/etc/hostname', `${NAME}.more`])
    expect(
      beforeOf(name, { '../secret': 'key', [NAME]: 'x', [`${NAME}.more`]: 'x' }, unknown),
    ).toEqual(unknown)
})
