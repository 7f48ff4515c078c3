import { readFile, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Query } from '@anthropic-ai/claude-agent-sdk'
import { closedEnvironment } from '../../src/agents/claude-code/trial/closed-environment.ts'
import type { ScriptedModel } from '../model/index.ts'
import { recallOrRun } from '../operations/recorded-run.ts'
import type { RunOptions, Scene } from '../scene.ts'
import { findClaudeBinary } from './claude-binary.ts'
import { type InteractiveOptions, type Tui, openInteractive } from './interactive.ts'
import { type SdkCall, type SdkRun, callSdk, startQuery } from './sdk.ts'

export interface PromptOptions extends Pick<RunOptions, 'cwd' | 'env' | 'signal' | 'timeoutMs'> {
  /** The session to continue; without it a new one starts. */
  readonly resume?: string
  readonly continue?: boolean
  /** The agent's own file checkpoints, which headless runs do not keep by default. */
  readonly checkpointing?: boolean
  readonly args?: readonly string[]
  /** The run only prepares the test, so a recording of the same run may replace it. */
  readonly recorded?: boolean
}

export interface PromptResult {
  readonly sessionId: string
  /** The agent's last answer, or the text of its error. */
  readonly result: string
  readonly exitCode: number
  readonly stderr: string
}

export interface Transcript {
  readonly path: string
  readonly bytes: Uint8Array
  readonly rows: readonly Readonly<Record<string, unknown>>[]
}

export interface ClaudeCode {
  readonly binary: string
  /** The scene's environment with the scripted model, and no access to the network. */
  readonly env: Readonly<Record<string, string>>
  /** One headless turn (`claude -p`). */
  prompt(text: string, options?: PromptOptions): Promise<PromptResult>
  /**
   * Resumes a copy of the session with one more prompt and saves nothing; the model then has the
   * request. Without hooks and skills it starts a fifth faster.
   */
  probe(session: string): Promise<PromptResult>
  /** Runs through the Agent SDK; the test reads the messages. */
  sdk(run: SdkRun): Query
  /**
   * Calls one of the SDK's functions about sessions. They read the home directory of their own
   * process, so this runs in a child process with the scene's home.
   */
  sdkCall<T>(name: SdkCall, ...args: readonly unknown[]): Promise<T>
  /** The real TUI in a pseudo terminal, open at the prompt. */
  interactive(options?: InteractiveOptions): Promise<Tui>
  /** Ids of all sessions in the scene. */
  sessions(): Promise<string[]>
  transcript(sessionId: string): Promise<Transcript>
}

/**
 * Options of the agent's JavaScript engine. In runs of seconds, its optimizing compiler and the
 * helper threads of its garbage collector take a quarter of the CPU and save nothing.
 */
const LESS_CPU = { BUN_JSC_useDFGJIT: '0', BUN_JSC_numberOfGCMarkers: '1' }

/** The arguments of `probe`. */
export const PROBE = ['--fork-session', '--no-session-persistence', '--bare']

export function claudeCode(s: Scene, model: ScriptedModel): ClaudeCode {
  const binary = findClaudeBinary()
  // The scripted model rejects and records proxy requests, so tests notice network access.
  const closed = closedEnvironment({ url: model.url, key: 'sk-ant-scripted', proxy: model.url })
  const env = { ...s.env, ...closed, ...LESS_CPU }

  const transcripts = async (): Promise<Map<string, string>> => {
    const projects = join(s.claudeDir, 'projects')
    const names = await readdir(projects, { recursive: true }).catch(() => [])
    // Deeper files are the transcripts of subagents.
    const files = names.filter((name) => /^[^/]+\/[^/]+\.jsonl$/.test(name)).toSorted()
    return new Map(files.map((name) => [basename(name, '.jsonl'), join(projects, name)]))
  }

  const made: ClaudeCode = {
    binary,
    env,
    probe(session) {
      const run = () => made.prompt('probe', { resume: session, args: PROBE })
      return recallOrRun({ s, model, session, asked: { probe: PROBE }, leavesNothing: true, run })
    },
    async prompt(text, { recorded = false, ...options } = {}) {
      if (recorded) {
        const { resume: session = null } = options
        const run = () => made.prompt(text, options)
        return recallOrRun({ s, model, session, asked: { prompt: text, ...options }, run })
      }
      const args = ['-p', text, '--output-format', 'json', '--dangerously-skip-permissions']
      if (options.resume !== undefined) args.push('--resume', options.resume)
      if (options.continue === true) args.push('--continue')
      args.push(...(options.args ?? []))
      const checkpointing = options.checkpointing === true ? '1' : undefined
      const { code, stdout, stderr } = await s.run(binary, args, {
        ...options,
        env: {
          ...env,
          CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: checkpointing,
          ...options.env,
        },
      })
      return { ...parseResult(stdout), exitCode: code, stderr }
    },
    sdk: (run) => startQuery(run, { binary, env, cwd: s.project }),
    sdkCall: (name, ...args) => callSdk(s, name, args),
    interactive: (options = {}) => openInteractive(s, { binary, env }, options),
    sessions: async () => [...(await transcripts()).keys()],
    async transcript(sessionId) {
      const path = (await transcripts()).get(sessionId)
      if (path === undefined) throw new Error(`The scene has no session ${sessionId}.`)
      const bytes = new Uint8Array(await readFile(path))
      const lines = Buffer.from(bytes).toString('utf8').split('\n').filter(Boolean)
      return { path, bytes, rows: lines.map((line) => JSON.parse(line) as Record<string, unknown>) }
    },
  }
  return made
}

function parseResult(stdout: string): { sessionId: string; result: string } {
  const line = stdout.trim().split('\n').at(-1) ?? ''
  if (!line.startsWith('{')) return { sessionId: '', result: stdout.trim() }
  const { session_id: sessionId, result } = JSON.parse(line) as Record<string, string | undefined>
  return { sessionId: sessionId ?? '', result: result ?? '' }
}
