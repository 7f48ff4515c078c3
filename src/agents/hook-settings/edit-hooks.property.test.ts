import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { addHooks, hasHooks, removeHooks } from './edit-hooks.ts'
import { hookEntries } from '../claude-code/hooks/install-line.ts'

const events = [...hookEntries().map(([event]) => event), 'Notification']

const foreignEntry = fc.record(
  {
    matcher: fc.constantFrom('', 'Bash', '*'),
    hooks: fc.array(
      fc.record({ type: fc.constant('command'), command: fc.constantFrom('lint', ':', 'a "b"') }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: ['hooks'] },
)

const settings = fc.record(
  {
    model: fc.string(),
    env: fc.dictionary(fc.string(), fc.string(), { maxKeys: 3 }),
    permissions: fc.jsonValue({ maxDepth: 3 }),
    hooks: fc.dictionary(fc.constantFrom(...events), fc.array(foreignEntry, { maxLength: 2 }), {
      maxKeys: 4,
    }),
    'a"b\\c': fc.double({ noNaN: true, noDefaultInfinity: true }),
  },
  { requiredKeys: [] },
)

const space = fc.constantFrom('', '', ' ', '\n', '\n  ', '\r\n', '\t', '\n\n    ')

/** The same value with unusual white space. */
function untidy(value: unknown, white: () => string): string {
  if (Array.isArray(value))
    return `[${white()}${value.map((each) => untidy(each, white)).join(`${white()},${white()}`)}${white()}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}${white()}:${white()}${untidy(each, white)}`,
  )
  return `{${white()}${members.join(`${white()},${white()}`)}${white()}}`
}

const tidyText = fc
  .tuple(settings, fc.constantFrom(undefined, '', 2, 4, '\t', '   '))
  .map(([value, indent]) => JSON.stringify(value, null, indent))
const untidyText = fc
  .tuple(settings, fc.infiniteStream(space))
  .map(([value, spaces]) => untidy(value, () => spaces.next().value as string))

const text = fc
  .tuple(
    fc.oneof(tidyText, untidyText),
    fc.boolean(),
    fc.boolean(),
    fc.constantFrom('', '\n', ' \n\n'),
  )
  .map(([body, bom, crlf, end]) => {
    const whole = (bom ? '\uFEFF' : '') + body + end
    return crlf ? whole.replaceAll(/\r?\n/g, '\r\n') : whole
  })

const parse = (given: string): Record<string, unknown> =>
  JSON.parse(given.replace(/^\uFEFF/, '')) as Record<string, unknown>

test('[E1] adding and removing hooks restores every settings file byte for byte', () => {
  fc.assert(
    fc.property(text, (before) => {
      const added = addHooks(hookEntries, before)
      expect(hasHooks(hookEntries, before)).toBe(false)
      expect(hasHooks(hookEntries, added)).toBe(true)
      expect(removeHooks(added).text).toBe(before)
    }),
    { numRuns: 600 },
  )
})

test('[E3] added hooks are valid and complete, and everything else stays', () => {
  fc.assert(
    fc.property(text, (before) => {
      const old = parse(before)
      const { hooks: oldHooks = {}, ...oldRest } = old as { hooks?: Record<string, unknown[]> }
      const now = parse(addHooks(hookEntries, before)) as { hooks: Record<string, unknown[]> }
      const { hooks, ...rest } = now
      expect(rest).toEqual(oldRest)
      for (const [event] of hookEntries())
        expect(hooks[event]!.slice(0, -1)).toEqual(oldHooks[event] ?? [])
      expect(hooks['Notification']).toEqual(oldHooks['Notification'])
    }),
  )
})

test('[E3] removing hooks keeps what the user added after the installation', () => {
  fc.assert(
    fc.property(text, foreignEntry, fc.constantFrom(...events), (before, entry, event) => {
      const edited = parse(addHooks(hookEntries, before)) as { hooks: Record<string, unknown[]> }
      edited.hooks[event] = [...(edited.hooks[event] ?? []), entry]
      const expected = parse(before) as { hooks?: Record<string, unknown[]> }
      expected.hooks = { ...expected.hooks }
      expected.hooks[event] = [...(expected.hooks[event] ?? []), entry]
      expect(parse(removeHooks(JSON.stringify(edited, null, 2)).text)).toEqual(expected)
    }),
  )
})
