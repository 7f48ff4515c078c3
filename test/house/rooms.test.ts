import { copyFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { scene } from '../scene.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

const PLANTED = [
  ['timeline', "import { readFileSync } from 'node:fs'", 'is pure and also runs in the browser'],
  ['timeline', "import { readLines } from '#disk'", 'may enter: no other room'],
  ['agents', "import { readFileSync } from 'node:fs'", 'Only the disk room touches files'],
  ['agents', "import { listSessions } from '#engine'", 'may enter: timeline, disk, store'],
  ['engine', "import { main } from '../cli/main.ts'", 'Enter another room by its door'],
  ['protocol', "import { listSessions } from '#engine'", 'may enter: timeline'],
  ['disk', "import { readLines } from '#disk'", 'the door is for other rooms'],
  ['engine/project', "import { readSession } from '../session/index.ts'", 'may enter: ground'],
  ['engine/plan', "import { readSession } from '../session/read-session.ts'", 'by its door'],
  ['engine/plan', "import { readSession } from '../index.ts'", 'enter the room you need'],
  ['timeline/data', "import { readFileSync } from 'node:fs'", 'also runs in the browser'],
] as const
const ALLOWED = ['agents', "import { readLines } from '#disk'"] as const

interface Diagnostic {
  readonly filename: string
  readonly message: string
  readonly help: string
}

const fileOf = (room: string, line: string): string => {
  const n = [...PLANTED, ALLOWED].findIndex((each) => each[0] === room && each[1] === line)
  return `src/${room}/planted-${n}.ts`
}

/**
 * The linter's output for all files, each planted in its room. One run, because a start costs half
 * a second.
 */
async function lint(): Promise<{ code: number; diagnostics: Diagnostic[] }> {
  const files = [...PLANTED, ALLOWED].map(([room, line]) => {
    const name = /\{ (\w+) \}/.exec(line)![1]!
    return [fileOf(room, line), `${line}\n\nexport const planted = ${name}\n`]
  })
  await using s = await scene({ files: Object.fromEntries(files) })
  for (const name of [
    'oxlint.config.ts',
    'rooms.ts',
    'package.json',
    'tsconfig.json',
    'tsconfig.base.json',
  ])
    await copyFile(join(repository, name), join(s.project, name))
  await symlink(join(repository, 'node_modules'), join(s.project, 'node_modules'))
  const oxlint = join(repository, 'node_modules/.bin/oxlint')
  const { code, stdout } = await s.run(oxlint, ['--format=json', 'src'])
  return { code, ...(JSON.parse(stdout) as { diagnostics: Diagnostic[] }) }
}

let linted: ReturnType<typeof lint> | undefined
const saidOf = async (room: string, line: string): Promise<string> => {
  const { diagnostics } = await (linted ??= lint())
  const own = diagnostics.filter(({ filename }) => filename === fileOf(room, line))
  return own.map(({ message, help }) => `${message} ${help}`).join('\n')
}

test.for(PLANTED)('a planted import in %s is caught: %s', async ([room, line, says]) => {
  expect(await saidOf(room, line)).toContain(says)
  expect(await linted).toMatchObject({ code: 1 })
})

test('an import from a lower floor, through its index, is allowed', async () => {
  expect(await saidOf(...ALLOWED)).toBe('')
})
