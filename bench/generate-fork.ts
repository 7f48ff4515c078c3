import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Scene } from '../test/scene.ts'

/**
 * A session shaped like Claude Code's: shared turns, then several branches that start where those
 * end. Each turn creates a file; the files of the last branch, which has the head, exist.
 */
export function writeFork(
  s: Scene,
  { shared, branches, turns }: { shared: number; branches: number; turns: number },
): { path: string; session: string; tips: string[] } {
  const session = randomUUID()
  const directory = join(s.claudeDir, 'projects', s.project.replaceAll(/[^a-zA-Z0-9]/g, '-'))
  mkdirSync(directory, { recursive: true })
  const lines: string[] = []
  let time = Date.UTC(2026, 0, 1)
  const row = (type: string, parent: string | null, more: object): string => {
    const uuid = randomUUID()
    time += 1000
    const about = {
      parentUuid: parent,
      isSidechain: false,
      type,
      ...more,
      uuid,
      timestamp: new Date(time).toISOString(),
      userType: 'external',
      cwd: s.project,
      sessionId: session,
      version: '2.1.325',
      gitBranch: 'main',
    }
    lines.push(JSON.stringify(about))
    return uuid
  }
  const turn = (parent: string | null, name: string): { prompt: string; end: string } => {
    const message = { role: 'user', content: `Write ${name}` }
    const prompt = row('user', parent, { message, promptSource: 'typed' })
    const id = `toolu_${name}`
    const input = { file_path: join(s.project, `${name}.txt`), content: `${name}\n` }
    const call = row('assistant', prompt, {
      message: {
        id: `msg_${name}`,
        type: 'message',
        role: 'assistant',
        content: [{ type: 'tool_use', id, name: 'Write', input }],
        usage: { input_tokens: 100, output_tokens: 20 },
      },
    })
    const result = { type: 'create', filePath: input.file_path, content: input.content }
    const end = row('user', call, {
      message: {
        role: 'user',
        content: [{ tool_use_id: id, type: 'tool_result', content: 'File created' }],
      },
      toolUseResult: { ...result, structuredPatch: [], originalFile: null },
    })
    return { prompt, end }
  }
  const line = (
    name: string,
    from: string | null,
    count: number,
  ): { prompt: string; end: string } => {
    let last = { prompt: '', end: from }
    for (let n = 0; n < count; n++) last = turn(last.end, `${name}${n}`)
    return { prompt: last.prompt, end: last.end! }
  }
  const trunk = line('shared', null, shared)
  const tips = Array.from(
    { length: branches },
    (_, n) => line(`branch${n}-`, trunk.end, turns).prompt,
  )
  for (const [name, count] of [
    ['shared', shared],
    [`branch${branches - 1}-`, turns],
  ] as const)
    for (let n = 0; n < count; n++)
      writeFileSync(join(s.project, `${name}${n}.txt`), `${name}${n}\n`)
  const path = join(directory, `${session}.jsonl`)
  writeFileSync(path, `${lines.join('\n')}\n`)
  return { path, session, tips }
}
