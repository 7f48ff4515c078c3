import { createHash, randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scene } from '../scene.ts'

/** A transcript with many turns, as Claude Code writes them: prompts and answers, no tools. */
export async function writeLongSession(s: Scene, turns: number): Promise<string> {
  const session = randomUUID()
  const directory = join(s.claudeDir, 'projects', s.project.replaceAll(/[^a-zA-Z0-9]/g, '-'))
  await mkdir(directory, { recursive: true })
  const lines: string[] = []
  let parent: string | null = null
  let time = Date.UTC(2026, 0, 1)
  const row = (type: string, message: object): void => {
    time += 1000
    const uuid = uuidOf(`${type} ${lines.length}`)
    lines.push(
      JSON.stringify({
        parentUuid: parent,
        isSidechain: false,
        type,
        message,
        uuid,
        timestamp: new Date(time).toISOString(),
        userType: 'external',
        cwd: s.project,
        sessionId: session,
        version: '2.1.325',
        gitBranch: 'main',
        ...(type === 'user' ? { promptSource: 'typed' } : {}),
      }),
    )
    parent = uuid
  }
  for (let turn = 1; turn <= turns; turn++) {
    row('user', { role: 'user', content: `Prompt number ${turn}` })
    row('assistant', {
      id: `msg_${turn}`,
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: `Answer ${turn}. ${'More of it. '.repeat(turn % 40)}` }],
    })
  }
  await writeFile(join(directory, `${session}.jsonl`), `${lines.join('\n')}\n`)
  return session
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
