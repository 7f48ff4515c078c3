import { Failure } from '#failure'
import type {
  HookCallback,
  Options,
  PermissionMode,
  SDKUserMessage,
} from '@anthropic-ai/claude-agent-sdk'
import { isEditing, unknownEffectOf } from '../steps/index.ts'
import { openApprovals } from './run-approvals.ts'
import type { RunEvent, RunOutcome } from '#timeline'
import type { PromptImage } from '../../open-session.ts'
import type { AgentRun, RunRequest } from '../../runner.ts'
import { readMessage, readOutcome } from './run-messages.ts'
import { agentProcess } from '../../agent-process.ts'
import { loadSdk } from './run-sdk.ts'

/** How long an interrupted agent may take to record the interruption. */
const EXIT_TIMEOUT_MS = 5000

export function startRun(request: RunRequest): AgentRun {
  const process = agentProcess()
  let stopped = false
  const emit = (event: RunEvent): void => {
    if (!stopped) request.tell(event)
  }
  const approvals = openApprovals(request.allowed, emit)
  const input = openInput(request)
  let interrupt: (() => Promise<unknown>) | null = null

  const follow = async (): Promise<RunOutcome> => {
    const { query } = await loadSdk()
    if (stopped) return 'interrupted'
    const options = optionsOf(request)
    const running = query({
      prompt: input.messages,
      options: {
        ...options,
        // The SDK warns about a callback that this mode never calls.
        ...(options.permissionMode === 'bypassPermissions' ? {} : { canUseTool: approvals.ask }),
        spawnClaudeCodeProcess: process.start,
      },
    })
    interrupt = () => running.interrupt()
    let ending: ReturnType<typeof readOutcome> = null
    let hasAnswered = false
    try {
      for await (const message of running) {
        for (const event of readMessage(message)) {
          emit(event)
          hasAnswered ||= event.type === 'text'
        }
        ending = readOutcome(message) ?? ending
        if (ending !== null) input.end()
      }
    } catch (error) {
      // After a failed turn it exits with 1; the failure has been reported already.
      if (ending === null && !stopped)
        emit({ type: 'error', code: 'agent-died', message: wordsOf(error, process.lastWords()) })
    }
    if (!hasAnswered && ending !== null && ending.answer !== '')
      emit({ type: 'text', text: ending.answer, by: null })
    for (const message of ending?.errors ?? [])
      emit({ type: 'error', code: 'turn-failed', message })
    return stopped ? 'interrupted' : (ending?.outcome ?? 'failed')
  }

  const ended = follow()
    .catch((error: unknown): RunOutcome => {
      const code = error instanceof Failure ? error.code : 'agent-not-started'
      emit({ type: 'error', code, message: (error as Error).message })
      return 'failed'
    })
    .then(async (outcome) => {
      await process.end(EXIT_TIMEOUT_MS)
      return { outcome, allowed: approvals.allowed }
    })

  return {
    ended,
    answer: (id, answer) => approvals.answer(id, answer),
    stop() {
      if (stopped) return
      // In this order, and before any await: events that arrive from now on belong to an unwanted
      // turn.
      approvals.refuseAll()
      stopped = true
      void interrupt?.().catch(() => undefined)
      input.end()
      void process.end(EXIT_TIMEOUT_MS)
    },
  }
}

function optionsOf(request: RunRequest): Options {
  const { session, isNew, project, model, executable, environment, allowed } = request
  const mode = (request.permissionMode ?? allowed.mode ?? 'default') as PermissionMode
  return {
    cwd: project,
    env: { ...environment },
    ...(isNew ? { sessionId: session } : { resume: session }),
    ...(model === null ? {} : { model }),
    ...(executable === null ? {} : { pathToClaudeCodeExecutable: executable }),
    permissionMode: mode,
    ...(mode === 'bypassPermissions' ? { allowDangerouslySkipPermissions: true } : {}),
    allowedTools: [...allowed.tools],
    includePartialMessages: true,
    enableFileCheckpointing: true,
    // As in the user's own terminal, with their instructions and rules.
    settingSources: ['user', 'project', 'local'],
    systemPrompt: { type: 'preset', preset: 'claude_code' },
    hooks: {
      PreToolUse: [{ hooks: [stepHook(request, 'before')] }],
      PostToolUse: [{ hooks: [stepHook(request, 'after')] }],
      PostToolUseFailure: [{ hooks: [stepHook(request, 'after')] }],
    },
  }
}

function stepHook(request: RunRequest, when: 'before' | 'after'): HookCallback {
  return async (input, id) => {
    if (id === undefined || !('tool_name' in input)) return {}
    const isRecorded = isEditing(input.tool_name)
    const mayWrite = isRecorded || unknownEffectOf(input.tool_name, input.tool_input) !== null
    if (mayWrite) request.onStep({ id, when, isRecorded })
    return {}
  }
}

/** The prompt, then an open stream: the agent exits when it is closed. */
function openInput({ prompt, images, turn, session }: RunRequest): {
  messages: AsyncIterable<SDKUserMessage>
  end(): void
} {
  const { promise, resolve } = Promise.withResolvers<void>()
  async function* messages(): AsyncGenerator<SDKUserMessage> {
    yield {
      type: 'user',
      uuid: turn as `${string}-${string}-${string}-${string}-${string}`,
      session_id: session,
      message: { role: 'user', content: contentOf(prompt, images) },
      parent_tool_use_id: null,
      origin: { kind: 'human' },
    }
    await promise
  }
  return { messages: messages(), end: resolve }
}

function contentOf(
  prompt: string,
  images: readonly PromptImage[],
): SDKUserMessage['message']['content'] {
  if (images.length === 0) return prompt
  return [
    ...images.map(({ type, data }) => ({
      type: 'image' as const,
      source: { type: 'base64' as const, media_type: type, data },
    })),
    // Last, because the agent looks for @-files only in the last block.
    ...(prompt === '' ? [] : [{ type: 'text' as const, text: prompt }]),
  ]
}

function wordsOf(error: unknown, lastWords: string): string {
  const { message } = error as Error
  return lastWords === '' ? message : `${message}: ${lastWords}`
}
