import { defineConfig, type OxlintOverride } from 'oxlint'
import { innerRooms, rooms } from './rooms.ts'

const names = Object.keys(rooms)

type Pattern = { group: string[]; message: string; importNames?: string[] }

/** What a room may not import, with the linter's message. */
function doorsOf(room: string): OxlintOverride[] {
  const patterns = patternsOf(room)
  const inside = Object.entries(innerRooms).filter(
    ([outer]) => outer === room || outer.startsWith(`${room}/`),
  )
  return [
    closing([`src/${room}/**`], patterns),
    ...inside.flatMap(([outer, inner]) =>
      Object.entries(inner).map(([name, mayEnter]) =>
        closing(
          [`src/${outer}/${name}/**`],
          [...patterns, ...innerPatterns(outer, name, mayEnter)],
        ),
      ),
    ),
  ]
}

const closing = (files: string[], patterns: Pattern[]): OxlintOverride => ({
  files,
  rules: { 'no-restricted-imports': ['error', { patterns }] },
})

/** The same for an inner room. Its tests may import any file. */
function innerPatterns(room: string, name: string, mayEnter: readonly string[]): Pattern[] {
  const closed = Object.keys(innerRooms[room]!).filter(
    (other) => other !== name && !mayEnter.includes(other),
  )
  return [
    {
      group: ['../index.ts'],
      message: `Inside ${room}, enter the room you need: its own door is for other rooms.`,
    },
    {
      group: closed.map((other) => `../${other}/**`),
      message: `${room}/${name} may enter: ${mayEnter.join(', ') || 'no other room'} (rooms.ts).`,
    },
    ...mayEnter.map((other) => ({
      group: [`../${other}/*`, `!../${other}/index.ts`],
      message: 'Enter the room beside this one by its door, its index.ts.',
    })),
    ...(room === 'engine' && name !== 'ground' ? [disk] : []),
  ]
}

function patternsOf(room: string): Pattern[] {
  const { mayEnter, node } = rooms[room]!
  const closed = names.filter((name) => name !== room && !mayEnter.includes(name))
  const others = names.filter((name) => name !== room)
  const patterns: Pattern[] = [
    {
      group: [`#${room}`],
      message: `Inside ${room}, import the file itself: the door is for other rooms.`,
    },
    {
      group: others.flatMap((name) => [`../${name}/**`, `../../${name}/**`, `../../../${name}/**`]),
      message: 'Enter another room by its door (#room), never by a path into it.',
    },
  ]
  if (closed.length > 0)
    patterns.push({
      group: closed.map((name) => `#${name}`),
      message: `${room} may enter: ${mayEnter.join(', ') || 'no other room'} (rooms.ts).`,
    })
  if (node === 'none')
    patterns.push({
      group: ['node:*', 'fs', 'fs/*', 'path', 'os', 'crypto'],
      message: `${room} is pure and also runs in the browser.`,
    })
  if (node === 'all-but-fs')
    patterns.push({
      group: ['node:fs', 'node:fs/*', 'fs', 'fs/*'],
      message: 'Only the disk room touches files, so that crash tests see every call.',
    })
  if (mayEnter.includes('engine')) patterns.push(changes)
  return patterns
}

/** So that a test can give the engine another file system. */
const disk: Pattern = {
  group: ['#disk'],
  importNames: ['durableDisk'],
  message: 'Use the disk of the machine or of the store.',
}

/**
 * `openForChange` alone combines recover, settle, wait, plan and apply: copies would forget a step.
 */
const changes: Pattern = {
  group: ['#engine'],
  importNames: ['applyOperation', 'planOperation', 'recoverProject', 'waitForCaller'],
  message: 'Change a session through `openForChange`.',
}

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true },
  ignorePatterns: ['dist/**', 'node_modules/**', 'test/fixtures/**'],
  rules: {
    'no-await-in-loop': 'off',
    'consistent-return': 'off',
    'no-control-regex': 'off',
    'oxc/no-map-spread': 'off',
    'typescript/no-unnecessary-type-parameters': 'off',
    'typescript/consistent-return': 'off',
    'typescript/no-unsafe-type-assertion': 'off',
    'typescript/no-non-null-assertion': 'off',
    'typescript/switch-exhaustiveness-check': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/return-await': ['error', 'in-try-catch'],
    'typescript/no-explicit-any': 'error',
    'typescript/consistent-type-imports': 'error',
    'import/no-default-export': 'error',
    'import/no-cycle': 'error',
    'import/extensions': 'off',
    'unicorn/filename-case': ['error', { case: 'kebabCase' }],
    'unicorn/no-static-only-class': 'error',
    'unicorn/consistent-function-scoping': 'off',
    'unicorn/no-array-sort': 'off',
    'no-shadow': 'off',
    'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
  },
  overrides: [
    ...names.flatMap(doorsOf),
    ...names.map((room) => closing([`src/${room}/**/*.{test,testing}.ts`], patternsOf(room))),
    { files: ['**/*.test.ts', 'test/**'], rules: { 'max-lines': ['error', { max: 800 }] } },
    // Importing a style sheet binds no name.
    { files: ['src/web/main.tsx'], rules: { 'import/no-unassigned-import': 'off' } },
    // The bundler provides a script's URL as its default export.
    { files: ['src/web/voice/microphone.ts'], rules: { 'import/default': 'off' } },
    { files: ['*.config.ts'], rules: { 'import/no-default-export': 'off' } },
  ],
})
