import { copyFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { scene } from '../scene.ts'

const repository = fileURLToPath(new URL('../../', import.meta.url))

/** Lints one planted file as if it stood in that room, and gives what the linter says. */
async function lintPlanted(room: string, source: string): Promise<{ code: number; said: string }> {
  await using s = await scene({ files: { [`src/${room}/planted.ts`]: source } })
  for (const name of [
    'oxlint.config.ts',
    'rooms.ts',
    'package.json',
    'tsconfig.json',
    'tsconfig.base.json',
  ])
    await copyFile(join(repository, name), join(s.project, name))
  await symlink(join(repository, 'node_modules'), join(s.project, 'node_modules'))
  const { code, stdout } = await s.run(join(repository, 'node_modules/.bin/oxlint'), ['src'])
  return { code: code ?? -1, said: stdout }
}

test.for([
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
] as const)('a planted import in %s is caught: %s', async ([room, line, says]) => {
  const name = /\{ (\w+) \}/.exec(line)![1]!
  const { code, said } = await lintPlanted(room, `${line}\n\nexport const planted = ${name}\n`)
  expect(said).toContain(says)
  expect(code).toBe(1)
})

test('an import down a floor, by the door, is not', async () => {
  const source = "import { readLines } from '#disk'\n\nexport const planted = readLines\n"
  expect(await lintPlanted('agents', source)).toMatchObject({ code: 0 })
})
