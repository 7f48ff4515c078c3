import { createHash, randomUUID } from 'node:crypto'
import { appendFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scene } from '../scene.ts'

const BEGUN = Date.UTC(2026, 0, 1)

/** A transcript with many turns as Claude Code writes them: prompts and answers, no tools. */
export async function writeLongSession(s: Scene, turns: number, begun = BEGUN): Promise<string> {
  const session = randomUUID()
  await mkdir(directoryOf(s), { recursive: true })
  const lines = Array.from({ length: turns }, (_, n) => turnLines(s, session, n + 1, begun))
  await writeFile(join(directoryOf(s), `${session}.jsonl`), lines.join(''))
  return session
}

/** Appends the next turn while a page shows the session. */
export async function appendTurn(s: Scene, session: string, turn: number): Promise<void> {
  await appendFile(join(directoryOf(s), `${session}.jsonl`), turnLines(s, session, turn))
}

function directoryOf(s: Scene): string {
  return join(s.claudeDir, 'projects', s.project.replaceAll(/[^a-zA-Z0-9]/g, '-'))
}

function turnLines(s: Scene, session: string, turn: number, begun = BEGUN): string {
  const row = (type: 'user' | 'assistant', message: object): string => {
    const isPrompt = type === 'user'
    const parent = isPrompt ? (turn === 1 ? null : `assistant ${turn - 1}`) : `user ${turn}`
    return `${JSON.stringify({
      parentUuid: parent === null ? null : uuidOf(`${session} ${parent}`),
      isSidechain: false,
      type,
      message,
      uuid: uuidOf(`${session} ${type} ${turn}`),
      timestamp: new Date(begun + turn * 2000 + (isPrompt ? 0 : 1000)).toISOString(),
      userType: 'external',
      cwd: s.project,
      sessionId: session,
      version: '2.1.325',
      gitBranch: 'main',
      ...(isPrompt ? { promptSource: 'typed' } : {}),
    })}\n`
  }
  const text = `Answer ${turn}. ${'More of it. '.repeat(turn % 40)}`
  return (
    row('user', { role: 'user', content: `Prompt number ${turn}` }) +
    row('assistant', {
      id: `msg_${turn}`,
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text }],
    })
  )
}

function uuidOf(name: string): string {
  const hex = createHash('md5').update(name).digest('hex')
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
  ]
  return [...parts, hex.slice(20)].join('-')
}
