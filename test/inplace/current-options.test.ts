import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { currentOptions } from '../../src/agents/claude-code/session/current-options.ts'

const SESSION = '11111111-1111-4111-8111-111111111111'
const START = Date.parse('2026-01-01T12:00:00Z')

const mode = (permissionMode: string) => ({ type: 'permission-mode', permissionMode })
const said = (content: string, timestamp = '2026-01-01T12:30:00Z') => ({
  type: 'user',
  message: { role: 'user', content },
  timestamp,
})
/** `/model` with its answer, as Claude Code writes both. */
const model = (args: string, title: string, at?: string) => [
  said(`<command-name>/model</command-name>\n<command-args>${args}</command-args>`, at),
  said(`<local-command-stdout>Set model to \`${title}\` for this session only`, at),
]

function read(...rows: object[]) {
  const config = mkdtempSync(join(tmpdir(), 'options-'))
  mkdirSync(join(config, 'projects/-p'), { recursive: true })
  const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
  writeFileSync(join(config, `projects/-p/${SESSION}.jsonl`), lines)
  return currentOptions(config, SESSION, START)
}

test('[sem.C2] the last permission mode and the last chosen model count', () => {
  expect(read(said('hi'))).toEqual({ permissionMode: null, model: null })
  expect(
    read(
      mode('default'),
      ...model('opus', 'Opus 5.5'),
      ...model('haiku', 'Haiku 5.5'),
      mode('plan'),
      said('x'.repeat(3_000_000)),
    ),
  ).toEqual({ permissionMode: 'plan', model: 'haiku' })
  // A choice that was given up has no answer.
  expect(read(...model('opus', 'Opus 5.5'), model('haiku', '')[0]!).model).toBe('opus')
  expect(read(...model('opus', 'Opus 5.5', '2026-01-01T11:00:00Z')).model).toBe(null)
  expect(read(said('How do I use <command-name>/model<?')).model).toBe(null)
})

test('[sem.C2] a model chosen from the list is known by its title', () => {
  const named = (title: string) => read(...model('', title)).model
  expect(named('Sonnet 5.5')).toBe('sonnet')
  expect(named('Opus 5.5 (1M context)')).toBe('opus[1m]')
  expect(named('Opus 5.5 (default)')).toBe('default')
  expect(named('Something else')).toBe(null)
})
