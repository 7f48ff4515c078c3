import { useEffect } from 'react'
import { create } from 'zustand'
import type { Approval, ApprovalAnswer, RunEvent } from '#timeline'
import { Failure } from '#failure'
import { useConnection } from '../connection/connection.ts'
import { tellFailure } from '../plan/tell-receipt.tsx'
import { foldRun, nothingYet, type Block, type Folded } from './fold-run.ts'

/** The turn that Retake runs in a session, as this window knows it. */
export interface RunView {
  readonly state: 'idle' | 'running' | 'stopping'
  readonly prompt: string | null
  readonly blocks: readonly Block[]
  readonly approvals: readonly Approval[]
}

interface Run extends RunView {
  readonly folded: Folded
}

const idle: Run = { state: 'idle', prompt: null, blocks: [], approvals: [], folded: nothingYet }
const useRuns = create<{ runs: Readonly<Record<string, Run>> }>(() => ({ runs: {} }))

export function useRun(session: string): RunView {
  const run = useRuns(({ runs }) => runs[session]) ?? idle
  const { state } = useConnection()
  useEffect(() => {
    if (state === 'up') void rejoin(session)
  }, [session, state])
  return run
}

function change(session: string, to: Partial<Run>): void {
  useRuns.setState(({ runs }) => ({
    runs: { ...runs, [session]: { ...(runs[session] ?? idle), ...to } },
  }))
}

export async function sendPrompt(session: string, prompt: string): Promise<void> {
  change(session, { ...idle, state: 'running', prompt })
  try {
    await read(session, await call(`/api/sessions/${session}/converse`, { prompt }))
  } catch (error) {
    tellFailure(error)
  }
  change(session, { state: 'idle' })
}

/** A turn may be running that another window, or this one before it was loaded again, began. */
async function rejoin(session: string): Promise<void> {
  void session
}

export async function stopRun(session: string): Promise<void> {
  change(session, { state: 'stopping' })
  await call(`/api/sessions/${session}/abort`, {}).catch((error: unknown) => tellFailure(error))
}

export async function answerApproval(id: string, answer: ApprovalAnswer): Promise<void> {
  await call(`/api/approvals/${id}`, answer).catch((error: unknown) => tellFailure(error))
}

async function call(path: string, body: object): Promise<Response> {
  const { token } = useConnection.getState()
  const answer = await fetch(path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (answer.ok) return answer
  const problem = (await answer.json().catch(() => ({}))) as { code?: string; message?: string }
  throw new Failure(
    problem.code ?? 'server-failed',
    problem.message ?? `The server answered ${answer.status}.`,
  )
}

async function read(session: string, answer: Response): Promise<void> {
  let text = ''
  let folded = nothingYet
  const decoder = new TextDecoder()
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true })
    const frames = text.split('\n\n')
    text = frames.pop()!
    for (const frame of frames) {
      const data = /^data: (.*)$/m.exec(frame)?.[1]
      if (data !== undefined) folded = foldRun(folded, JSON.parse(data) as RunEvent)
    }
    change(session, { folded, blocks: folded.blocks, approvals: folded.approvals })
  }
}
