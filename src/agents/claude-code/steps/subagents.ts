import { listDirectory, lstatPath, readSmallFile } from '#disk'
import { stepsOf, type Subagent } from '#timeline'
import { isDelegating } from './edits.ts'
import { readMoments, type FindAgent } from './moments.ts'
import { isSessionId } from './places.ts'
import { field, string } from '../rows/index.ts'
import type { Row } from '../rows/index.ts'
import { readTranscript } from '../rows/index.ts'

const MAX_META_BYTES = 1024 * 1024
/** Agents start agents; a file that names itself as its parent must not recurse forever. */
const MAX_DEPTH = 8

interface AgentFile {
  readonly id: string
  readonly path: string
  readonly meta: unknown
}

/**
 * Finds a subagent by the id of the call that started it, and reads it only then. A forked session
 * has the calls, but the agents' files stay with the original.
 */
export function findSubagents(sessionFile: string): {
  readonly find: FindAgent
  /** Changes when subagents continue to write, if one of these rows started one. */
  stamp(rows: readonly Row[]): string
} {
  const session = sessionFile.replace(/\.jsonl$/, '')
  const own = agentFiles(`${session}/subagents`)
  let others: Map<string, AgentFile> | null = null
  let stamps: string | null = null
  const findFile = (call: string, tool: string): AgentFile | undefined => {
    const file = own.get(call)
    if (file !== undefined || !isDelegating(tool)) return file
    return (others ??= agentFilesBeside(session)).get(call)
  }
  const findAt = (depth: number): FindAgent => {
    return (call, tool) => {
      const file = depth > MAX_DEPTH ? undefined : findFile(call, tool)
      return file === undefined ? null : readSubagent(file, findAt(depth + 1))
    }
  }
  return {
    find: findAt(1),
    stamp(rows) {
      if (own.size === 0 || !rows.some(({ call }) => call !== null && own.has(call))) return ''
      // All of them: a nested agent is known only from its own file.
      return (stamps ??= [...own.values()].map(({ path }) => stampOf(path)).join(','))
    },
  }
}

function stampOf(path: string): string {
  const stat = lstatPath(path)
  return stat === null ? '-' : `${stat.size}:${stat.mtimeNs}`
}

/** Keyed by the id of the call that started each. */
function agentFiles(directory: string): Map<string, AgentFile> {
  const files = new Map<string, AgentFile>()
  for (const { name, kind } of listDirectory(directory)) {
    const id = /^agent-([\w-]+)\.jsonl$/.exec(name)?.[1]
    if (kind !== 'file' || id === undefined) continue
    const meta = readMeta(`${directory}/agent-${id}.meta.json`)
    const call = string(field(meta, 'toolUseId'))
    if (call !== null) files.set(call, { id, path: `${directory}/${name}`, meta })
  }
  return files
}

function agentFilesBeside(session: string): Map<string, AgentFile> {
  const project = session.slice(0, session.lastIndexOf('/'))
  const found = listDirectory(project).flatMap(({ name, kind }) =>
    kind === 'directory' && isSessionId(name)
      ? [...agentFiles(`${project}/${name}/subagents`)]
      : [],
  )
  return new Map(found)
}

/**
 * The calls whose background agents are still working. An agent whose process died looks unfinished
 * forever, so only those with writes since `since` count.
 */
export function runningCalls(sessionFile: string, since: number): Set<string> {
  const agents = agentFiles(`${sessionFile.replace(/\.jsonl$/, '')}/subagents`)
  const atWork = [...agents].filter(([, { path, meta }]) => {
    if (field(meta, 'requestShape') !== 'background' || field(meta, 'finished') === true)
      return false
    const stat = lstatPath(path)
    return stat !== null && Number(stat.mtimeNs) / 1e6 >= since
  })
  return new Set(atWork.map(([call]) => call))
}

/** The files of the subagents that these rows started, including nested ones. */
export function subagentFilesOf(sessionFile: string, rows: readonly Row[]): string[] {
  const own = agentFiles(`${sessionFile.replace(/\.jsonl$/, '')}/subagents`)
  const found = new Set<string>()
  const waiting = own.size === 0 ? [] : rows.flatMap(({ call }) => call ?? [])
  for (let call = waiting.pop(); call !== undefined; call = waiting.pop()) {
    const agent = own.get(call)
    if (agent === undefined || found.has(agent.path)) continue
    found.add(agent.path)
    waiting.push(...readTranscript(agent.path).rows.flatMap((row) => row.call ?? []))
  }
  return [...found].flatMap((path) => [path, path.replace(/\.jsonl$/, '.meta.json')])
}

function readMeta(path: string): unknown {
  const bytes = readSmallFile(path, MAX_META_BYTES)
  if (bytes === null) return undefined
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

function readSubagent({ id, path, meta }: AgentFile, findAgent: FindAgent): Subagent {
  const { rows } = readTranscript(path)
  const { moments, tokens } = readMoments(path, rows, { by: 'subagent', findAgent })
  return {
    id,
    type: string(field(meta, 'agentType')) ?? 'agent',
    description: string(field(meta, 'description')) ?? '',
    background: field(meta, 'requestShape') === 'background',
    steps: stepsOf(moments),
    tokens,
  }
}

/** Rows that an old version's subagent left in the main file, as one unnamed agent. */
export function agentFromAsides(path: string, asides: readonly Row[]): Subagent {
  const { moments, tokens } = readMoments(path, asides, { by: 'subagent', findAgent: () => null })
  const steps = stepsOf(moments)
  return { id: '', type: 'agent', description: '', background: false, steps, tokens }
}
