import { expect, test } from 'vitest'
import { addHooks, hasHooks, marks, removeHooks } from './edit-hooks.ts'
import { hookEntries } from '../claude-code/hooks/install-line.ts'
import { readMark } from './hook-entry.ts'

test('[E3] of two members with the same name, the effective one gets the hooks', () => {
  const text = '{"hooks": {"Stop": []}, "\\u0068ooks": {"PreToolUse": []}}'
  const added = addHooks(hookEntries, text)
  const parsed = JSON.parse(added) as { hooks: Record<string, unknown[]> }
  expect(Object.keys(parsed.hooks)).toHaveLength(hookEntries().length)
  expect(added.startsWith('{"hooks": {"Stop": []}, "\\u0068ooks": {"PreToolUse": [')).toBe(true)
  expect(removeHooks(added).text).toBe(text)
})

test.each(['{}', '{ }', '{\n}\n', '\ufeff{}', '{"hooks":{}}', '{"hooks":{"Stop":[]}}'])(
  '[E1] removing hooks restores bare settings such as %j',
  (text) => expect(removeHooks(addHooks(hookEntries, text)).text).toBe(text),
)

test('[E1] added text follows the style of the file', () => {
  const own = '{\n    "model": "opus",\n    "hooks": {\n        "Stop": []\n    }\n}\n'
  const lines = addHooks(hookEntries, own).split('\n')
  expect(lines.slice(0, 7)).toEqual([
    '{',
    '    "model": "opus",',
    '    "hooks": {',
    '        "Stop": [],',
    '        "SessionStart": [',
    '            {',
    '                "hooks": [',
  ])
  expect(lines.slice(-4)).toEqual(['        ]', '    }', '}', ''])
})

test('[E3] removing hooks keeps a command that the user added to Retake’s entry', () => {
  const added = JSON.parse(addHooks(hookEntries, '{}')) as {
    hooks: { SessionEnd: { hooks: object[] }[] }
  }
  added.hooks.SessionEnd[0]!.hooks.push({ type: 'command', command: 'mine' })
  const { text, found } = removeHooks(JSON.stringify(added))
  expect(found).toBe(hookEntries().length)
  expect(JSON.parse(text)).toEqual({
    hooks: { SessionEnd: [{ hooks: [{ type: 'command', command: 'mine' }] }] },
  })
})

test('[E2] hooks that lack an event or differ count as incomplete', () => {
  const added = addHooks(hookEntries, '{}')
  expect(hasHooks(hookEntries, added)).toBe(true)
  expect(hasHooks(hookEntries, added.replace('"SessionEnd"', '"Other"'))).toBe(false)
  expect(hasHooks(hookEntries, added.replace('umask 077', 'umask 022'))).toBe(false)
  expect(hasHooks(hookEntries, added.replace('"timeout": 5', '"timeout": 6'))).toBe(false)
})

test('[E3] only a command that begins with the mark is Retake’s', () => {
  expect(readMark(': retake; true')).toEqual([])
  expect(readMark(': retake file hooks; true')).toEqual(['file', 'hooks'])
  for (const other of [
    ': retakes; true',
    'retake hook Stop',
    ': retake',
    ' : retake; true',
    7,
    null,
  ])
    expect(readMark(other)).toBeNull()
  expect(marks('{"hooks": {"Stop": [{"hooks": [{"command": 7}, {}]}, {}, []]}}')).toEqual([])
})

test('[E4] deeply nested settings do not overflow the stack', () => {
  const deep = `{"a": ${'['.repeat(50_000)}${']'.repeat(50_000)}}`
  expect(removeHooks(addHooks(hookEntries, deep)).text).toBe(deep)
})
