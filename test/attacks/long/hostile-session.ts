/** A session that an attacker could hand over: any text in any field of its transcript. */
import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scene } from '../../scene.ts'

export interface HostileTurn {
  readonly prompt: string
  readonly does?: readonly HostilePart[]
}

export interface HostilePart {
  readonly answer?: string
  readonly thinking?: string
  readonly command?: { readonly tool: string; readonly text: string; readonly says: string }
  /** A file that the turn claims to have created. */
  readonly file?: { readonly path: string; readonly text: string }
}

export async function writeHostileSession(
  s: Pick<Scene, 'claudeDir' | 'project'>,
  turns: readonly HostileTurn[],
  { title, branch = 'main' }: { title?: string; branch?: string } = {},
): Promise<string> {
  const session = randomUUID()
  const lines: string[] = []
  let parent: string | null = null
  let time = Date.now() - turns.length * 10_000
  const row = (type: string, message: object, more: object = {}): void => {
    time += 1000
    const uuid = randomUUID()
    const about = { parentUuid: parent, isSidechain: false, type, message, uuid, cwd: s.project }
    const when = { timestamp: new Date(time).toISOString(), sessionId: session, gitBranch: branch }
    lines.push(
      JSON.stringify({ ...about, ...when, version: '2.1.325', userType: 'external', ...more }),
    )
    parent = uuid
  }
  const says = (content: readonly object[]): void =>
    row('assistant', { id: `msg_${randomUUID()}`, type: 'message', role: 'assistant', content })
  const step = (
    name: string,
    input: object,
    { says: text, result }: { says: string; result: object },
  ): void => {
    const id = `toolu_${randomUUID()}`
    says([{ type: 'tool_use', id, name, input }])
    const content = [{ type: 'tool_result', tool_use_id: id, content: text }]
    row('user', { role: 'user', content }, { toolUseResult: result })
  }
  for (const { prompt, does = [{}] } of turns) {
    row('user', { role: 'user', content: prompt }, { promptSource: 'typed' })
    for (const { answer, thinking, command, file } of does) {
      if (thinking !== undefined) says([{ type: 'thinking', thinking, signature: 'x' }])
      if (command !== undefined) {
        const { tool, text, says: said } = command
        const result = { stdout: said, stderr: '', interrupted: false }
        step(tool, { command: text, description: text }, { says: said, result })
      }
      if (file !== undefined) {
        const { path, text } = file
        const how = { structuredPatch: [], originalFile: null, userModified: false }
        const result = { type: 'create', filePath: path, content: text, ...how }
        step('Write', { file_path: path, content: text }, { says: 'File created', result })
      }
      says([{ type: 'text', text: answer ?? 'done' }])
    }
  }
  if (title !== undefined)
    lines.push(JSON.stringify({ type: 'custom-title', customTitle: title, sessionId: session }))
  const directory = join(s.claudeDir, 'projects', s.project.replaceAll(/[^a-zA-Z0-9]/g, '-'))
  await mkdir(directory, { recursive: true })
  await writeFile(join(directory, `${session}.jsonl`), `${lines.join('\n')}\n`, { mode: 0o600 })
  return session
}
