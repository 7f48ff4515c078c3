import { listDirectory } from '#disk'
import { fileHistoryDirectory } from '../steps/index.ts'
import type { Belonging } from '../../session-file.ts'
import type { ClaudeFile } from './session-files.ts'

const MAX_DEPTH = 4

/** The transcript, those of its subagents, other files next to them, and its checkpoints. */
export function belongingsOf(config: string, { id, path, hasMore }: ClaudeFile): Belonging[] {
  const directory = path.slice(0, -'.jsonl'.length)
  return [
    { role: 'transcript', path },
    ...(hasMore ? filesBelow(directory) : []).map((each) => ({
      role: each.endsWith('.jsonl') ? ('agent' as const) : ('beside' as const),
      path: each,
    })),
    ...filesBelow(fileHistoryDirectory(config, id)).map((each) => ({
      role: 'checkpoint' as const,
      path: each,
    })),
  ]
}

/** The path of the same file in another session: every path contains the session id. */
export function pathInSession(path: string, from: string, to: string): string {
  return path.replace(`/${from}`, `/${to}`)
}

function filesBelow(directory: string, depth = 1): string[] {
  if (depth > MAX_DEPTH) return []
  return listDirectory(directory).flatMap(({ name, kind }) => {
    const path = `${directory}/${name}`
    if (kind === 'directory') return filesBelow(path, depth + 1)
    return kind === 'file' ? [path] : []
  })
}
