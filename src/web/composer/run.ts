import { useEffect } from 'react'
import { create } from 'zustand'
import type { ImageView, RunEventView } from '#protocol'
import type { Approval, ApprovalAnswer, RunOutcome } from '#timeline'
import { client, failureFrom, useIsUp } from '../connection/connection.ts'
import { queries, readTurnAgain } from '../connection/queries.ts'
import { tellFailure } from '../plan/tell-receipt.tsx'
import { returnPrompt } from './draft.ts'
import type { DraftImage } from './read-image.ts'
import { foldRun, nothingYet, type Block, type Folded } from './fold-run.ts'

/** The turn that Retake runs in a session, as this window knows it. */
export interface RunView {
  readonly state: 'idle' | 'running' | 'stopping'
  readonly prompt: string | null
  /** Those that this window sent with it. */
  readonly images: readonly DraftImage[]
  /** Its id in the transcript, once it is known. */
  readonly turn: string | null
  readonly blocks: readonly Block[]
  readonly approvals: readonly Approval[]
  /** How it ended; what was shown of it stays a moment longer. */
  readonly outcome: RunOutcome | null
  /** Prompts that wait behind it. */
  readonly waiting: readonly Waiting[]
}

export interface Waiting {
  readonly prompt: string
  readonly images: number
  /** Null until the server knows it. */
  readonly run: string | null
}

/** One prompt on its way. Before the server answered it has no turn. */
interface Run {
  readonly key: number
  readonly prompt: string
  readonly images: readonly DraftImage[]
  readonly turn: string | null
  readonly run: string | null
  readonly folded: Folded
  readonly stopping: boolean
  /** It waited behind another one when it was sent. */
  readonly queued: boolean
}

const useRuns = create<{ runs: Readonly<Record<string, readonly Run[]>> }>(() => ({ runs: {} }))
const watched = new Set<string>()
const followed = new Set<string>()
const none: readonly Run[] = []

export function useRun(session: string, isBusy: boolean): RunView {
  const runs = useRuns(({ runs: all }) => all[session]) ?? none
  const isUp = useIsUp()
  useEffect(() => {
    watched.add(session)
    return () => void watched.delete(session)
  }, [session])
  useEffect(() => {
    if (isUp && isBusy) void joinRun(session)
  }, [session, isUp, isBusy])
  const [first, ...rest] = runs
  return {
    state: first === undefined ? 'idle' : first.stopping ? 'stopping' : 'running',
    prompt: first?.prompt ?? null,
    images: first?.images ?? [],
    turn: first?.turn ?? null,
    blocks: first?.folded.blocks ?? [],
    approvals: first?.folded.approvals ?? [],
    outcome: first?.folded.outcome ?? null,
    waiting: rest.map(({ prompt, images, run }) => ({ prompt, images: images.length, run })),
  }
}

/** A prompt that does not reach the agent, or is stopped while it waits, comes back as the draft. */
export async function sendPrompt(
  session: string,
  prompt: string,
  { images = [], ...how }: PromptOptions = {},
): Promise<void> {
  const run = makeRun(prompt, images)
  put(session, run)
  try {
    const last = await followRun(session, run, (onEvent) =>
      client().converse(
        { session, prompt, ...how, ...(images.length === 0 ? {} : { images: images.map(sent) }) },
        { onEvent },
      ),
    )
    if (isDropped(last) && !discarded.delete(last.run ?? '')) returnPrompt(session, prompt, images)
  } catch (error) {
    const sent = useRuns.getState().runs[session]?.find(({ key }) => key === run.key)
    drop(session, run)
    // The agent goes on without us; it is joined again when the connection is back.
    if (sent?.turn != null && failureFrom(error).code === 'server-unreachable') return
    returnPrompt(session, prompt, images)
    tellFailure(error)
  }
}

export interface PromptOptions {
  readonly images?: readonly DraftImage[]
  readonly model?: string
  readonly permissionMode?: string
}

function sent({ type, data }: DraftImage): ImageView {
  return { type, data }
}

/** It waited behind another turn, and was stopped before the agent heard of it. */
function isDropped({ queued, folded }: Run): boolean {
  return queued && folded.outcome === 'interrupted' && folded.blocks.length === 0
}

/**
 * Begins a session in a project, and settles with its id once the agent has it. Whoever shows the
 * session then joins the turn from its start.
 */
export function startSession(project: string, prompt: string): Promise<string> {
  const controller = new AbortController()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  client()
    .start(
      { project, prompt },
      {
        signal: controller.signal,
        onEvent(event) {
          if (event.type !== 'started') return
          resolve(event.session)
          controller.abort()
        },
      },
    )
    .catch(reject)
  return promise
}

/** A turn may run that another window began, or this one before it was loaded again. */
export async function joinRun(session: string): Promise<void> {
  if (!watched.has(session) || followed.has(session)) return
  const run = makeRun('')
  try {
    await followRun(session, run, (onEvent) => client().rejoin({ session }, { onEvent }))
  } catch (error) {
    drop(session, run)
    const { code } = failureFrom(error)
    if (code !== 'run-not-found' && code !== 'server-unreachable') tellFailure(error)
  }
}

/** Stops the turn and what waits behind it; settles when nothing of it can come any more. */
export async function stopRun(session: string): Promise<void> {
  change(session, (runs) => runs.map((run) => ({ ...run, stopping: true })))
  try {
    await client().abort({ session })
  } catch (error) {
    tellFailure(error)
  }
}

const discarded = new Set<string>()

/** Takes a prompt out of the queue: back into the field, or away. */
export async function dropQueued(run: string, what: 'edit' | 'discard'): Promise<void> {
  if (what === 'discard') discarded.add(run)
  try {
    await client().dropQueued({ run })
  } catch (error) {
    discarded.delete(run)
    tellFailure(error)
  }
}

export async function answerApproval(approval: string, answer: ApprovalAnswer): Promise<void> {
  try {
    await client().answerApproval({ approval, ...answer })
  } catch (error) {
    tellFailure(error)
  }
}

let made = 0

function makeRun(prompt: string, images: readonly DraftImage[] = []): Run {
  made += 1
  return {
    key: made,
    prompt,
    images,
    turn: null,
    run: null,
    folded: nothingYet,
    stopping: false,
    queued: false,
  }
}

async function followRun(
  session: string,
  first: Run,
  open: (onEvent: (event: RunEventView) => void) => Promise<void>,
): Promise<Run> {
  let run = first
  // Somebody may have stopped it meanwhile: only what the event says is changed.
  const update = (to: Partial<Run>): void => {
    run = { ...run, ...to }
    change(session, (runs) =>
      runs.map((each) => (each.key === run.key ? { ...each, ...to } : each)),
    )
  }
  followed.add(session)
  try {
    await open((event) => {
      if (event.type !== 'started') return update({ folded: foldRun(run.folded, event) })
      const { prompt, turn, run: id, queued } = event
      const known = useRuns.getState().runs[session]?.some(({ key }) => key === run.key) === true
      if (!known) put(session, run)
      update({ prompt, turn, run: id, queued })
    })
    // The turn stands in the transcript now. What was shown of it stays until that is read.
    if (run.turn !== null) await readTurnAgain(session, run.turn)
  } finally {
    followed.delete(session)
  }
  drop(session, run)
  void queries.invalidateQueries({ queryKey: ['status', session] })
  return run
}

function put(session: string, run: Run): void {
  change(session, (runs) => [...runs, run])
}

function drop(session: string, run: Run): void {
  change(session, (runs) => runs.filter(({ key }) => key !== run.key))
}

function change(session: string, to: (runs: readonly Run[]) => readonly Run[]): void {
  useRuns.setState(({ runs }) => ({ runs: { ...runs, [session]: to(runs[session] ?? none) } }))
}
