import { expect, test } from 'vitest'
import { readPlainWords, type ReadingVerb } from './plain-words.ts'
import { program } from './program.ts'

const VERBS = ['sessions', 'log', 'show', 'tree', 'status'] as const satisfies ReadingVerb[]
const VALUES: Record<string, string> = {
  agent: 'codex',
  session: 'abcd',
  project: '/p',
  number: '5',
  since: '2h',
  grep: 'words',
  files: 'a.txt',
}

/** Parses the same words with the full parser. */
function readWhole([verb, ...words]: readonly string[]) {
  const command = program(verb).commands.find((each) => each.name() === verb)!
  const { operands } = command.parseOptions([...words])
  return { verb, turn: operands[0] ?? '', flags: command.opts() }
}

test('[U2] the fast path of a read command parses plain words as the whole program does', () => {
  for (const verb of VERBS) {
    const turn = verb === 'show' ? ['3'] : []
    const options = program(verb)
      .commands.find((each) => each.name() === verb)!
      .options.map(({ long }) => long!.slice(2))
    const all = options.flatMap((name) => [`--${name}`, ...(name in VALUES ? [VALUES[name]!] : [])])
    // Every option of the full parser must be known here too.
    for (const words of [[], turn, [...turn, ...all], [...all, ...turn]]) {
      if (verb === 'show' && words.length === 0) continue
      expect(readPlainWords([verb, ...words])).toEqual(readWhole([verb, ...words]))
    }
  }
})

test.each([
  ['undo'],
  ['toString'],
  ['log', '--help'],
  ['log', '--jsn'],
  ['log', '--line'],
  ['log', '-n'],
  ['tree', '-n', '5'],
  ['log', '3'],
  ['log', '-h'],
  ['log', '--session=abcd'],
  ['log', '--session'],
  ['log', '--session', '--json'],
  ['log', '--', '--json'],
  ['show'],
  ['show', '1', '2'],
  ['sessions', 'rename', 'abcd', 'x'],
])('[U2] anything but plain words is left to the whole program: %s %s', (...words) => {
  expect(readPlainWords(words)).toBeNull()
})
