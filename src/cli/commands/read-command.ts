import { Failure } from '#failure'
import {
  moving,
  verbOf,
  wordArguments,
  type Argument,
  type Command,
  type VerbName,
} from '#protocol'
import { readCount } from './read-count.ts'
import { readOperationId } from './history.ts'

type Word = string | string[] | undefined

/** Builds a command from the words after the verb and the flags. */
export function readCommand(
  verb: VerbName,
  words: readonly Word[],
  flags: Readonly<Record<string, unknown>>,
): Command {
  const { takes } = verbOf(verb)
  const given: Record<string, unknown> = { verb }
  for (const [place, [key, argument]] of wordArguments(takes).entries())
    if (words[place] !== undefined) given[key] = readWord(key, argument, words[place])
  for (const [key, argument] of Object.entries(takes)) {
    const value = flags[key]
    // `change` reads the flags that all moves share.
    if (key in moving || argument.word === true || value === undefined) continue
    const { carries } = argument
    if (carries !== undefined && carries in given)
      throw new Failure('usage', `Name one turn: \`${verb} TURN\`, or \`${verb} --${key} TURN\`.`)
    if (carries !== undefined) given[carries] = value
    given[key] = argument.kind === 'yes' ? true : readWord(key, argument, value as Word)
  }
  const missing = Object.entries(takes).find(([key, { required }]) => required && !(key in given))
  if (missing === undefined) return given as Command
  const { words: spelt, flag } = verbOf(verb)
  const name = flag === undefined ? spelt : `${spelt} --${flag}`
  throw new Failure('usage', `\`${name}\` needs a ${missing[1].called ?? missing[0]}.`, {
    hint: `Run \`retake ${spelt} --help\` to see how to write it.`,
  })
}

function readWord(key: string, { kind }: Argument, word: Word): unknown {
  const text = typeof word === 'string' ? word : ''
  if (kind === 'count') return readCount(text)
  if (kind === 'operation') return readOperationId(text)
  return key === 'title' ? readTitle(text) : word
}

function readTitle(text: string): string {
  const title = text.trim().replaceAll(/\s+/g, ' ')
  if (title !== '' && title.length <= 200) return title
  throw new Failure('usage', 'A title has from 1 to 200 characters.')
}
