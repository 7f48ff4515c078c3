import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { checkStore, listOperations } from '../../src/store/index.ts'
import { readTree } from './tree.ts'
import { world } from './world.ts'

const program = fileURLToPath(new URL('count-up.ts', import.meta.url))

test(
  '[R7] [FT10] eight processes on one new project lose no operation',
  { timeout: 300_000 },
  async () => {
    using w = world()
    writeFileSync(join(w.project, 'count'), '0\n')
    const each = 15
    const children = Array.from({ length: 8 }, () =>
      spawn(process.execPath, [program, w.path, String(each)], {
        stdio: ['ignore', 'ignore', 'inherit'],
      }),
    )
    const ends = await Promise.all(children.map((child) => once(child, 'exit')))
    expect(ends).toEqual(children.map(() => [0, null]))
    expect(readFileSync(join(w.project, 'count'), 'utf8')).toBe(`${8 * each}\n`)
    expect([...readTree(w.project).keys()]).toEqual(['count'])
    const store = w.open()
    expect(listOperations(store).map(({ state }) => state)).toEqual(
      Array.from({ length: 8 * each }, () => 'committed'),
    )
    expect(checkStore(store, { readData: true })).toMatchObject({ database: [], contents: [] })
  },
)
