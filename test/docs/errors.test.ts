import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readDocument, root } from './document.ts'

/** Where a code is no literal of a `new Failure(`: the texts that hold the codes that it can be. */
const CHOSEN: Readonly<Record<string, readonly RegExp[]>> = {
  'src/engine/runs.ts': [/live\.status === 'busy' \? '([a-z-]+)' : '([a-z-]+)'/],
  'src/server/voice-token.ts': [/voice \? '([a-z-]+)' : '([a-z-]+)'/],
  // Why a plan cannot be carried out; of two of them `plan-stale` is said.
  'src/engine/apply-operation.ts': [],
  'src/journal/journal.ts': [/^ {4}\| '([a-z-]+)'/gm],
  // Why the agent's conversation cannot be moved.
  'src/engine/branch-session.ts': [],
  'src/engine/conversation.ts': [/'(behind-compaction)':/, /'(no-row)':/],
  // Tables of words, whose codes are found as `code: '…'`.
  'src/engine/plan-words.ts': [],
  'src/disk/write-failure.ts': [],
  'src/disk/disk-failure.ts': [],
  // What the server said.
  'src/protocol/client.ts': [],
}

/** Words that look like a code and are none: what a stale plan found. */
const NO_CODES = new Set(['changed'])

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /(?<!\.test|\.testing)\.tsx?$/.test(name))
  .map((name) => ({ file: `src/${name}`, text: readFileSync(join(root, 'src', name), 'utf8') }))

function codesInSources(): Set<string> {
  const found = new Set<string>()
  const take = (text: string, pattern: RegExp): void => {
    for (const [, ...codes] of text.matchAll(new RegExp(pattern, 'gm')))
      for (const code of codes) if (!NO_CODES.has(code)) found.add(code)
  }
  for (const { file, text } of sources) {
    take(text, /new Failure\(\s*'([a-z-]+)'/)
    take(text, /\brefusal\(\d+, '([a-z-]+)'/)
    // What a plan of the timeline asks and warns of has codes too, which are no failures.
    if (!file.startsWith('src/timeline/')) take(text, /\bcode: '([a-z]+(?:-[a-z]+)*)'/)
    for (const pattern of CHOSEN[file] ?? []) take(text, pattern)
  }
  return found
}

test('[F7][W21] every code of a failure has an entry in docs/errors.md, and none is there for nothing', () => {
  const rows = readDocument('docs/errors.md').matchAll(/^\| (`[^|]+`) *\|/gm)
  const entries = [...rows].flatMap(([, cell]) => [...cell!.matchAll(/`([a-z-]+)`/g)])
  const documented = entries.map(([, code]) => code!)
  expect(new Set(documented).size, 'each code once').toBe(documented.length)
  expect(documented.toSorted()).toEqual([...codesInSources()].toSorted())
})

test('a failure whose code is chosen elsewhere is named above', () => {
  const chosen = sources.filter(({ text }) => /new Failure\(\s*[^'\s)]/.test(text))
  for (const { file } of chosen) expect(Object.keys(CHOSEN)).toContain(file)
})
