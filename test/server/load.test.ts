import { readdir } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { played } from '../operations/played.ts'
import { serving, type Serving } from './serving.ts'

/** Files and sockets that the process has open. */
async function openFiles({ child }: Serving): Promise<number> {
  return (await readdir(`/proc/${child.pid}/fd`)).length
}

test('[S15] fifty windows and a thousand requests leave nothing open behind them', async () => {
  await using p = await played({ turns: { first: 'hi', second: 'ho' } })
  await using server = await serving(p.s)
  const { client, url, record } = server
  const ask = async (): Promise<void> => {
    await client.undoState({ session: p.id })
    await client.messages({ session: p.id })
  }
  const round = async (requests: number): Promise<void> => {
    const controller = new AbortController()
    const { signal } = controller
    const headers = { Authorization: `Bearer ${record.token}` }
    const windows = await Promise.all(
      Array.from({ length: 50 }, () => fetch(`${url}/api/events`, { headers, signal })),
    )
    expect(new Set(windows.map(({ status }) => status))).toEqual(new Set([200]))
    for (let i = 0; i < requests; i += 50) await Promise.all(Array.from({ length: 25 }, ask))
    expect((await client.health({})).clients).toBe(50)
    controller.abort()
    while ((await client.health({})).clients > 0);
  }
  await round(100)
  const before = await openFiles(server)
  await round(1000)
  // Kept-alive connections of this test are the only ones that may differ.
  expect(await openFiles(server)).toBeLessThanOrEqual(before + 60)
  await round(100)
  expect(await openFiles(server)).toBeLessThanOrEqual(before + 60)
})
