import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  addedDirectoriesFrom,
  argumentsOf,
} from '../../src/agents/claude-code/session/added-directories.ts'

const row = (...paths: unknown[]): string =>
  `${JSON.stringify({ type: 'attachment', attachment: { type: 'environment', snapshot: { additionalWorkingDirectories: paths } } })}\n`

test('[sem.A9] a growing transcript names added directories once each row is complete', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'retake-added-'))
  try {
    const path = join(directory, 'x.jsonl')
    const said = JSON.stringify({ type: 'user', message: { content: row('/quoted') } })
    const tool = JSON.stringify({ input: { additionalWorkingDirectories: ['/input'] } })
    await writeFile(path, `${row('/a', 7, 'relative')}${said}\n${tool}\n`)
    const first = addedDirectoriesFrom(path, 0)
    expect(first.directories).toEqual(['/a'])
    expect(addedDirectoriesFrom(path, first.end)).toEqual({ directories: [], end: first.end })

    const next = row('/b', '/c')
    await appendFile(path, next.slice(0, -5))
    expect(addedDirectoriesFrom(path, first.end)).toEqual({ directories: [], end: first.end })
    await appendFile(path, next.slice(-5))
    const second = addedDirectoriesFrom(path, first.end)
    expect(second).toEqual({ directories: ['/b', '/c'], end: first.end + next.length })
    // Another file at the same path, and a row too large for a chunk, change nothing.
    await writeFile(path, `${'x'.repeat(9 * 1024 * 1024)}\n${row('/d')}`)
    expect(addedDirectoriesFrom(path, 0).directories).toEqual(['/d'])
    await writeFile(path, row('/e'))
    expect(addedDirectoriesFrom(path, second.end).directories).toEqual(['/e'])
  } finally {
    await rm(directory, { recursive: true })
  }
})

test('[sem.A9] --add-dir takes all words up to the next option', () => {
  const line = [
    'claude',
    '-p',
    'x',
    '--add-dir',
    '/a',
    '../b',
    '--model',
    'm',
    '--add-dir=/c',
    '/d',
  ]
  expect(argumentsOf(line, '--add-dir')).toEqual(['/a', '../b', '/c', '/d'])
})
