import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { kill } from 'node:process'
import { expect } from 'vitest'
import type { Tui } from '../agent/interactive.ts'
import type { Played } from '../operations/played.ts'

/** A session that is open and idle in the agent, with hooks installed. */
export async function opened(
  p: Played,
  { resume, args = [] }: { resume: string | undefined; args?: readonly string[] } = {
    resume: p.id,
  },
): Promise<Tui> {
  const { code, stderr } = await p.s.retake('install')
  expect(code, stderr).toBe(0)
  p.live = true
  const tui = await p.agent.interactive(resume === undefined ? { args } : { resume, args })
  await idle(p, tui.sessionId)
  return tui
}

/** Asks the agent's own process list, because Retake would settle pending moves. */
export async function idle(p: Played, session = p.id): Promise<void> {
  await expect.poll(() => statusOf(p, session), { timeout: 60_000 }).toBe('idle')
}

export async function statusOf(p: Played, session = p.id): Promise<string | undefined> {
  return (await entryOf(p, session))?.status
}

/** Leaves the agent and waits until pending moves are settled: the hook may outlive the agent. */
export async function leave(p: Played, tui: Tui, how: '/exit' | 'ctrl-c'): Promise<void> {
  if (how === 'ctrl-c') await tui.exit()
  else {
    await tui.submit('/exit')
    await tui.ended()
  }
  const mark = join(p.s.env['XDG_STATE_HOME']!, 'retake/pending', p.id)
  await expect.poll(() => existsSync(mark), { timeout: 30_000 }).toBe(false)
  p.live = false
}

/** The process that has the session open. */
export async function processOf(p: Played, session = p.id): Promise<number> {
  const entry = await entryOf(p, session)
  if (entry === null) throw new Error('The session is open in no process.')
  return entry.pid
}

interface Entry {
  readonly pid: number
  readonly sessionId: string
  readonly status?: string
}

async function entryOf(p: Played, session: string): Promise<Entry | null> {
  const directory = join(p.s.claudeDir, 'sessions')
  for (const name of await readdir(directory)) {
    if (!name.endsWith('.json')) continue
    const text = await readFile(join(directory, name), 'utf8').catch(() => '')
    // The agent may be replacing its entry.
    if (!text.endsWith('}')) continue
    const entry = JSON.parse(text) as Entry
    if (entry.sessionId === session && isAlive(entry.pid)) return entry
  }
  return null
}

/** A killed process leaves its entry behind. */
function isAlive(pid: number): boolean {
  try {
    return kill(pid, 0)
  } catch {
    return false
  }
}

/** The messages of the newest request, as text. */
export function sentToModel(p: Played): string {
  return JSON.stringify(p.model.requests.at(-1)!.body.messages)
}
