import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findBreaks, mayBreak } from './find-breaks.ts'
import { readSurface, type Surface } from './public-surface.ts'

const directory = new URL('../fixtures/released/', import.meta.url)

test('nothing that a release made public is gone or narrower', () => {
  const now = readSurface()
  // Run once per release; never rewrite the file of a published version.
  if (process.env['RELEASE'] !== undefined)
    writeFileSync(new URL(`${now.version}.json`, directory), `${JSON.stringify(now)}\n`)
  const released = readdirSync(directory)
    .filter((name) => /^\d/.test(name))
    .map((name) => read(name))
  expect(released.length).toBeGreaterThan(0)
  for (const old of released.filter(({ version }) => !mayBreak(version, now.version)))
    expect(findBreaks(old, now), `since ${old.version}`).toEqual([])
})

test('a removed or narrower part counts as a break, an added one does not', () => {
  const old = readSurface()
  const schema = (properties: object, required = ['a']) => ({
    type: 'object',
    required,
    properties,
  })
  const base = {
    ...old,
    schemas: { x: schema({ a: { enum: ['on', 'off'] }, b: { type: 'string' } }) },
  }
  const breaks = (change: Partial<Surface>) => findBreaks(base, { ...base, ...change })
  const { undo, ...others } = old.commands
  expect(breaks({ codes: [...old.codes, 'new-code'] })).toEqual([])
  expect(breaks({ codes: old.codes.slice(1) })).toEqual([`error code ${old.codes[0]} is gone`])
  expect(breaks({ commands: others })).toEqual(['command undo is gone'])
  const without = undo!.filter((word) => word !== '--dry-run')
  expect(breaks({ commands: { ...others, undo: without } })).toEqual(['undo: --dry-run is gone'])
  expect(breaks({ commands: { ...others, undo: [...undo!, '<why>'] } })).toEqual([
    'undo: <why> is required now',
  ])
  const wider = schema({ a: { enum: ['on'] }, b: { type: 'string' }, c: {} }, ['a', 'c'])
  expect(breaks({ schemas: { x: wider } })).toEqual([])
  const other = schema({ a: { enum: ['on', 'maybe'] }, b: { type: 'number' } }, [])
  expect(breaks({ schemas: { x: other } })).toEqual([
    'x: required a is gone',
    'x.a: enum has maybe',
    'x.b: type has number',
  ])
  expect(breaks({ schemas: {} })).toEqual(['schema x is gone'])
  expect([mayBreak('1.2.0', '1.3.0'), mayBreak('1.2.0', '2.0.0')]).toEqual([false, true])
  expect([mayBreak('0.1.0', '0.1.1'), mayBreak('0.1.0', '0.2.0')]).toEqual([false, true])
})

function read(name: string): Surface {
  return JSON.parse(readFileSync(new URL(name, directory), 'utf8')) as Surface
}
