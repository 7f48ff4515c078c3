import { listDirectory, readSmallFile } from '#disk'
import { stepsOf, type Subagent } from '#timeline'
import { readMoments, type FindAgent } from './moments.ts'
import { field, string } from './prompt.ts'
import type { Row } from './row.ts'
import { readTranscript } from './transcript.ts'

const LARGEST_META = 1024 * 1024
/** Agents start agents; a file that names itself as its parent must not recurse for ever. */
const DEEPEST = 8

interface AgentFile {
  readonly id: string
  readonly path: string
  readonly meta: unknown
}

/** Finds a subagent by the id of the call that started it, and reads it only then. */
export function findSubagents(sessionFile: string): FindAgent {
  const directory = `${sessionFile.replace(/\.jsonl$/, '')}/subagents`
  const files = new Map<string, AgentFile>()
  for (const { name, kind } of listDirectory(directory)) {
    const id = /^agent-([\w-]+)\.jsonl$/.exec(name)?.[1]
    if (kind !== 'file' || id === undefined) continue
    const meta = readMeta(`${directory}/agent-${id}.meta.json`)
    const call = string(field(meta, 'toolUseId'))
    if (call !== null) files.set(call, { id, path: `${directory}/${name}`, meta })
  }
  const findAt = (depth: number): FindAgent => {
    return (call) => {
      const file = files.get(call)
      return file === undefined || depth > DEEPEST ? null : readSubagent(file, findAt(depth + 1))
    }
  }
  return findAt(1)
}

function readMeta(path: string): unknown {
  const bytes = readSmallFile(path, LARGEST_META)
  if (bytes === null) return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function readSubagent({ id, path, meta }: AgentFile, findAgent: FindAgent): Subagent {
  const { rows } = readTranscript(path)
  const { moments } = readMoments(path, rows, { by: 'subagent', findAgent })
  return {
    id,
    type: string(field(meta, 'agentType')) ?? 'agent',
    description: string(field(meta, 'description')) ?? '',
    background: field(meta, 'requestShape') === 'background',
    steps: stepsOf(moments),
  }
}

/** Rows that an old version's subagent left in the main file, as one nameless agent. */
export function agentFromAsides(path: string, asides: readonly Row[]): Subagent {
  const { moments } = readMoments(path, asides, { by: 'subagent', findAgent: () => null })
  return { id: '', type: 'agent', description: '', background: false, steps: stepsOf(moments) }
}
