import { readdir } from 'node:fs/promises'
import { expect } from 'vitest'
import { openClient } from '#protocol'
import { played } from '../operations/played.ts'
import { serving } from './serving.ts'
import { needs } from '../needs.ts'

needs('linux')(
  '[S15] fifty windows and a thousand requests leave nothing open in the server',
  async () => {
    await using p = await played({ turns: { first: 'hi', second: 'ho' } })
    await using server = await serving(p.s)
    const { url, record, child } = server
    // No keep-alive, so what the server still has open is its own.
    const closing: typeof fetch = (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as object), Connection: 'close' } })
    const client = openClient({ origin: url, token: record.token, fetch: closing })
    const openFiles = async () => (await readdir(`/proc/${child.pid}/fd`)).length

    const round = async (requests: number): Promise<void> => {
      const windows = new AbortController()
      const opened = await Promise.all(
        Array.from({ length: 50 }, () =>
          closing(`${url}/api/events`, {
            headers: { Authorization: `Bearer ${record.token}` },
            signal: windows.signal,
          }),
        ),
      )
      expect(opened.map(({ status }) => status)).toEqual(Array.from({ length: 50 }, () => 200))
      for (let sent = 0; sent < requests; sent += 50)
        await Promise.all(
          Array.from({ length: 25 }, async () => {
            await client.undoState({ session: p.id })
            await client.messages({ session: p.id })
          }),
        )
      expect((await client.health({})).clients).toBe(50)
      windows.abort()
      await expect.poll(async () => (await client.health({})).clients).toBe(0)
    }

    // The first round opens the store and the watches, which stay open.
    await round(50)
    const before = await openFiles()
    await round(1000)
    await expect.poll(openFiles).toBeLessThanOrEqual(before)
  },
)
