import { Failure } from '#failure'
import type { RunEvent, RunOutcome } from '#timeline'
import { agentProcess } from '../../agent-process.ts'
import type { AgentRun, RunRequest } from '../../runner.ts'
import { programOf } from './program.ts'
import { inputOf, overridesOf } from './run-options.ts'
import { openApprovals } from './run-approvals.ts'
import { descendantsOf, killLeft, type Descendant } from './descendants.ts'
import { readStep, textOf, type StepItem } from './run-items.ts'
import { readNotification, readOutcome } from './run-messages.ts'
import { objectOf, openRpc, type Params, type RequestId, type Rpc } from './rpc.ts'

/** How long an interrupted turn may take to record the interruption. */
const INTERRUPT_TIMEOUT_MS = 5000
/** How long the process may take to write its last rows and to exit. */
const EXIT_TIMEOUT_MS = 5000

/** Codex reports the start of a command up to this much after the command began. */
const MAX_LATE_MS = 500

/** Runs one turn in its own `codex app-server`, which holds the session only that long. */
export function startRun(request: RunRequest): AgentRun {
  const process = agentProcess()
  const stopping = Promise.withResolvers<void>()
  let stopped = false
  let pid: number | undefined
  let left: readonly Descendant[] = []
  const emit = (event: RunEvent): void => {
    if (!stopped) request.tell(event)
  }
  const approvals = openApprovals(request.allowed, emit)

  const follow = async (): Promise<RunOutcome> => {
    const child = process.start({
      command: programOf(request),
      args: ['app-server'],
      cwd: request.project,
      env: request.environment,
    })
    pid = child.pid
    const failed = new Promise<never>((_, reject) => child.once('error', reject))
    const steps = new Map<string, StepItem>()
    const done = Promise.withResolvers<Params>()
    const rpc: Rpc = openRpc(
      { input: child.stdin, output: child.stdout },
      {
        notified(method, params) {
          for (const event of readNotification(method, params)) emit(event)
          followSteps(method, params, { steps, request })
          if (method === 'turn/completed') done.resolve(objectOf(params['turn']))
        },
        asked: (id, method, params) => answerRequest({ id, method, params }),
      },
    )
    const answerRequest = (asked: { id: RequestId; method: string; params: Params }): void => {
      const { id, method, params } = asked
      const step = steps.get(textOf(params['itemId'])) ?? null
      const isKnown = approvals.ask({
        method,
        params,
        step,
        reply: (result) => rpc.answer(id, result),
      })
      if (isKnown) return
      if (method === 'item/tool/requestUserInput') rpc.answer(id, { answers: {} })
      else if (method === 'mcpServer/elicitation/request')
        rpc.answer(id, { action: 'decline', content: null, _meta: null })
      else rpc.refuse(id, 'Retake does not support this request.')
    }
    const play = async (): Promise<RunOutcome> => {
      await rpc.request('initialize', {
        clientInfo: { name: 'retake', title: 'Retake', version: '0' },
        capabilities: { experimentalApi: true },
      })
      rpc.notify('initialized')
      const { threadId } = await openThread(rpc, request)
      if (request.isNew) request.onSession(threadId)
      if (stopped) return 'interrupted'
      const started = await rpc.request('turn/start', {
        threadId,
        input: inputOf(request),
        clientUserMessageId: request.turn,
        ...overridesOf(request).turn,
      })
      const turnId = textOf(objectOf(started['turn'])['id'])
      const outcome = await Promise.race([done.promise, rpc.closed, stopping.promise])
      if (stopped) {
        await interrupt(rpc, { threadId, turnId }, done.promise)
        return 'interrupted'
      }
      if (outcome === undefined) throw new Failure('agent-died', wordsOf(process.lastWords()))
      return readOutcome(outcome, emit)
    }
    try {
      return await Promise.race([play(), failed])
    } finally {
      child.stdin.end()
    }
  }

  const ended = follow()
    .catch((error: unknown): RunOutcome => {
      if (stopped) return 'interrupted'
      const code = error instanceof Failure ? error.code : 'agent-not-started'
      emit({ type: 'error', code, message: (error as Error).message })
      return 'failed'
    })
    .then(async (outcome) => {
      if (stopped && pid !== undefined) left = [...left, ...descendantsOf(pid)]
      await process.end(EXIT_TIMEOUT_MS)
      killLeft(left)
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
      if (pid !== undefined) left = descendantsOf(pid)
      stopping.resolve()
    },
  }
}

async function openThread(rpc: Rpc, request: RunRequest): Promise<{ threadId: string }> {
  const { thread } = overridesOf(request)
  const answer = request.isNew
    ? await rpc.request('thread/start', { cwd: request.project, ...thread })
    : await rpc.request('thread/resume', { threadId: request.session, ...thread })
  return { threadId: textOf(objectOf(answer['thread'])['id']) }
}

/** Also ends commands that the turn left running in the background: they could still write. */
async function interrupt(rpc: Rpc, turn: Params, done: Promise<unknown>): Promise<void> {
  const timeout = AbortSignal.timeout(INTERRUPT_TIMEOUT_MS)
  const late = new Promise<void>((resolve) => timeout.addEventListener('abort', () => resolve()))
  const act = async (): Promise<void> => {
    await rpc.request('turn/interrupt', turn).catch(() => undefined)
    await Promise.race([done, rpc.closed])
    await rpc
      .request('thread/backgroundTerminals/clean', { threadId: turn['threadId'] })
      .catch(() => undefined)
  }
  await Promise.race([act(), late])
}

function followSteps(
  method: string,
  params: Params,
  { steps, request }: { steps: Map<string, StepItem>; request: RunRequest },
): void {
  if (method !== 'item/started' && method !== 'item/completed') return
  const step = readStep(objectOf(params['item']))
  if (step === null) return
  steps.set(step.id, step)
  if (!step.mayWrite) return
  const { id, isRecorded } = step
  if (method === 'item/completed') return request.onStep({ id, when: 'after', isRecorded })
  const started = params['startedAtMs']
  const at = (typeof started === 'number' ? started : Date.now()) - MAX_LATE_MS
  request.onStep({ id, when: 'before', isRecorded, at })
}

function wordsOf(lastWords: string): string {
  return lastWords === '' ? 'Codex ended in the middle of the turn.' : lastWords
}
