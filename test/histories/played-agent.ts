import { appendFileSync, lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { AgentRewind, Step } from './history.ts'
import { openShell } from './shell.ts'

/**
 * Simulates what Claude Code and Retake's hooks write during a turn: rows in the transcript, events
 * and stamps in the spool, real files through a real shell. The real agent needs seconds per turn.
 */
export interface PlayedAgent extends Disposable {
  turn(prompt: string, steps: readonly PlayedStep[], rewind?: AgentRewind): Promise<void>
}

/** A function is what others do between two steps. */
export type PlayedStep = Step | (() => Promise<unknown>)

/** Closer stamps cannot be told apart from those of the previous step. */
export const APART_MS = 26

export function playedAgent(known: {
  project: string
  /** Working directory, if not the project. */
  place?: string
  transcript: string
  /** Where Claude Code lists the processes that have a session open. */
  registry: string
  spool: string
  session: string
  env: Readonly<Record<string, string>>
  uuid: () => string
  /** The scan that hooks start. */
  look: (session: string) => Promise<void>
  /** The process that has the session open, for two concurrent turns. */
  pid?: number
  /** Directories of `--add-dir`. */
  added?: readonly string[]
}): PlayedAgent {
  const { project, transcript, spool, session, uuid, look, place = project } = known
  for (const directory of [dirname(transcript), known.registry])
    mkdirSync(directory, { recursive: true })
  // A process must be alive during a turn, or Retake would treat its open steps as killed.
  const entry = join(known.registry, `${known.pid ?? process.pid}.json`)
  const shell = openShell(place, known.env)
  let pid = 1000
  const common = { userType: 'external', cwd: project, sessionId: session, version: '2.1.325', gitBranch: 'main' } // prettier-ignore
  let leaf: string | null = null
  let promptId = ''
  /** The last row of each turn, and what its edits replaced, newest first. */
  const turns = new Map<string, { leaf: string | null; replaced: Replaced[] }>()
  let replaced: Replaced[] = []

  const append = (row: object): void => appendFileSync(transcript, `${JSON.stringify(row)}\n`)
  const row = (type: 'user' | 'assistant', more: object): string => {
    const id = uuid()
    const own = type === 'user' ? { promptId } : { requestId: `req_${pid}` }
    const timestamp = new Date().toISOString()
    append({ parentUuid: leaf, isSidechain: false, type, ...own, ...more, uuid: id, timestamp, ...common }) // prettier-ignore
    leaf = id
    return id
  }
  let isAddedWritten = (known.added ?? []).length === 0
  const addDirectoryRow = (): void => {
    if (isAddedWritten) return
    isAddedWritten = true
    const id = uuid()
    const snapshot = { workingDirectory: project, additionalWorkingDirectories: known.added }
    const timestamp = new Date().toISOString()
    append({ parentUuid: leaf, isSidechain: false, attachment: { type: 'environment', snapshot }, type: 'attachment', uuid: id, timestamp, ...common }) // prettier-ignore
    leaf = id
  }
  const says = (content: object): string =>
    row('assistant', {
      message: { id: `msg_${++pid}`, type: 'message', role: 'assistant', model: 'm', content: [content], stop_reason: null, usage: {} }, // prettier-ignore
    })
  const call = (tool: string, input: object): string => {
    const id = `toolu_${session.slice(0, 8)}${++pid}`
    says({ type: 'tool_use', id, name: tool, input })
    return id
  }
  const result = (id: string, toolUseResult: object | string): void => {
    const isError = typeof toolUseResult === 'string'
    const content = [{ tool_use_id: id, type: 'tool_result', content: isError ? toolUseResult : 'done', is_error: isError }] // prettier-ignore
    row('user', { message: { role: 'user', content }, toolUseResult })
  }
  const hook = (name: string, more: object): void => {
    const event = { session_id: session, transcript_path: transcript, cwd: project, prompt_id: promptId, hook_event_name: name } // prettier-ignore
    writeFileSync(join(spool, `${session}.${++pid}.event`), JSON.stringify({ ...event, ...more }))
  }

  const bash = async (commands: readonly string[], peek: number | undefined): Promise<void> => {
    const input = { command: commands.join('\n') }
    const id = call('Bash', input)
    const event = { tool_name: 'Bash', tool_input: input, tool_use_id: id }
    hook('PreToolUse', event)
    await look(session)
    await setTimeout(APART_MS)
    const stamp = join(spool, `${session}.${++pid}`)
    const began = performance.now()
    writeFileSync(`${stamp}.start`, '')
    const parts = peek === undefined ? [commands] : [commands.slice(0, peek), commands.slice(peek)]
    for (const [i, part] of parts.entries()) {
      if (i > 0) await look(session)
      await shell.run(part.join('\n'))
    }
    writeFileSync(`${stamp}.end`, '')
    hook('PostToolUse', { ...event, duration_ms: Math.round(performance.now() - began) })
    result(id, { stdout: '', stderr: '', interrupted: false })
    await look(session)
  }

  /**
   * The agent's checkpoints cover only files that its tools wrote. The only trace in the transcript
   * is the parent of the next prompt.
   */
  const rewindTo = ({ to, passed }: AgentRewind): string | null => {
    const texts = passed.toReversed().flatMap((turn) => turns.get(turn)!.replaced)
    for (const { path, text } of texts) {
      if (text === null) rmSync(path, { force: true })
      else writeFileSync(path, text)
    }
    return turns.get(to)!.leaf
  }

  const edit = (step: Exclude<Step, { bash: readonly string[] }>): void => {
    const isWrite = 'write' in step
    const filePath = join(place, isWrite ? step.write : step.edit)
    const before = readText(filePath)
    const input = isWrite
      ? { file_path: filePath, content: step.text }
      : { file_path: filePath, old_string: step.old, new_string: step.new }
    const id = call(isWrite ? 'Write' : 'Edit', input)
    const was = { path: filePath, text: before }
    const after = isWrite ? step.text : before?.replace(step.old, () => step.new)
    const fits = isWrite || before?.includes(step.old) === true
    if (isLink(filePath)) return result(id, `Refusing to write ${filePath}: it is a symbolic link.`)
    if (after === undefined || !fits || !writeText(filePath, after))
      return result(id, 'Error: it does not fit.')
    replaced.unshift(was)
    if (!isWrite)
      return result(id, { filePath, oldString: step.old, newString: step.new, originalFile: before, replaceAll: false }) // prettier-ignore
    const type = before === null ? 'create' : 'update'
    result(id, { type, filePath, content: after, structuredPatch: [], originalFile: before })
  }

  return {
    async turn(prompt, steps, rewind) {
      await setTimeout(APART_MS)
      leaf = rewind === undefined ? resumedAt(transcript) : rewindTo(rewind)
      replaced = []
      promptId = uuid()
      writeFileSync(entry, JSON.stringify({ sessionId: session, status: 'busy' }))
      hook('UserPromptSubmit', { prompt })
      await look(session)
      row('user', { message: { role: 'user', content: prompt }, permissionMode: 'bypassPermissions' }) // prettier-ignore
      addDirectoryRow()
      if (rewind !== undefined) append({ type: 'last-prompt', leafUuid: NOWHERE, explicit: true, sessionId: session }) // prettier-ignore
      for (const step of steps) {
        if (typeof step !== 'function' && 'bash' in step) {
          await bash(step.bash, step.peek)
          continue
        }
        await setTimeout(APART_MS)
        if (typeof step === 'function') await step()
        else edit(step)
      }
      says({ type: 'text', text: 'done' })
      append({ type: 'last-prompt', lastPrompt: prompt, leafUuid: leaf, sessionId: session })
      turns.set(prompt, { leaf, replaced })
      rmSync(entry)
    },
    [Symbol.dispose]: () => shell[Symbol.dispose](),
  }
}

interface Replaced {
  readonly path: string
  /** Null if there was no file. */
  readonly text: string | null
}

const NOWHERE = '00000000-0000-0000-0000-000000000000'

function resumedAt(transcript: string): string | null {
  const rows = readText(transcript)?.split('\n').filter(Boolean) ?? []
  const last = rows.findLast((line) => line.startsWith('{"type":"last-prompt"'))
  return last === undefined ? null : (JSON.parse(last) as { leafUuid: string }).leafUuid
}

function writeText(path: string, text: string): boolean {
  try {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return true
  } catch {
    return false
  }
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink()
  } catch {
    return false
  }
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
