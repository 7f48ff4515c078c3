import { useEffect } from 'react'
import type { ImageView, ShowView } from '#protocol'
import type { Approval, ApprovalAnswer, RunOutcome } from '#timeline'
import { client, failureFrom, useConnection, useIsUp } from '../connection/connection.ts'
import { keys, queries } from '../connection/queries.ts'
import { showFailure } from '../plan/show-receipt.tsx'
import { notify } from '../ui/toasts.tsx'
import { brief } from '../words.ts'
import { returnPrompt } from './draft.ts'
import type { DraftImage } from './read-image.ts'
import type { Block } from './fold-run.ts'
import {
  changeRuns,
  dropRun,
  followRun,
  isFollowed,
  makeRun,
  putRun,
  runsIn,
  useRuns,
  type Run,
} from './follow-run.ts'
import { forgetSent, readSentImages, sentIn, type SentPrompt } from './sent.ts'

/** The turn that Retake runs in a session, as far as this window knows it. */
export interface RunView {
  readonly state: 'idle' | 'running' | 'stopping'
  /** An agent works, or has a prompt to work on. The live view of a turn stays until it is read. */
  readonly works: boolean
  readonly prompt: string | null
  /** Images that this window sent with the prompt. */
  readonly images: readonly DraftImage[]
  /** Its id in the transcript, once known. */
  readonly turn: string | null
  readonly blocks: readonly Block[]
  readonly approvals: readonly Approval[]
  /** How it ended. The live view stays until the turn is loaded. */
  readonly outcome: RunOutcome | null
  /** This window sent it. */
  readonly isOwn: boolean
  /** Prompts queued behind it. */
  readonly waiting: readonly QueuedPrompt[]
}

export interface QueuedPrompt {
  readonly prompt: string
  readonly images: number
  /** Null until the server has accepted the prompt. */
  readonly run: string | null
}

const watched = new Set<string>()

export function useRun(session: string, isBusy: boolean): RunView {
  const runs = useRuns(session)
  const isUp = useIsUp()
  const connection = useConnection(({ state }) => state)
  useEffect(() => {
    watched.add(session)
    return () => void watched.delete(session)
  }, [session])
  useEffect(() => {
    // Once more when events come: a turn that started before then was not reported.
    if (isUp) comeBack(session, isBusy)
  }, [session, isUp, connection, isBusy])
  const [first, ...rest] = runs
  return {
    state: first === undefined ? 'idle' : first.stopping ? 'stopping' : 'running',
    works: runs.some(isUnfinished),
    prompt: first?.prompt ?? null,
    images: first?.images ?? [],
    turn: first?.turn ?? null,
    blocks: first?.folded.blocks ?? [],
    approvals: first?.folded.approvals ?? [],
    outcome: first?.folded.outcome ?? null,
    isOwn: first?.isOwn ?? false,
    waiting: rest
      .filter(isUnfinished)
      .map(({ prompt, images, run }) => ({ prompt, images: images.length, run })),
  }
}

function isUnfinished({ folded }: Run): boolean {
  return folded.outcome === null
}

/** A prompt that does not reach the agent, or is stopped while queued, returns to the draft. */
export async function sendPrompt(
  session: string,
  prompt: string,
  { images = [], ...how }: PromptOptions = {},
): Promise<void> {
  const run = makeRun(prompt, { images, isOwn: true })
  putRun(session, run)
  try {
    const last = await followRun(session, run, (onEvent, signal) =>
      client().converse({ session, prompt, ...how, ...imagesToSend(images) }, { onEvent, signal }),
    )
    await settle(session, last)
  } catch (error) {
    const sent = runsIn(session).find(({ key }) => key === run.key)
    dropRun(session, run)
    // The agent may still be working: `comeBack` finds out after reconnecting.
    if (sent?.turn != null && failureFrom(error).code === 'server-unreachable') return
    giveBack(session, run)
    showFailure(error)
  }
}

/** Finished runs. The end of a stream and `comeBack` may find the same one; settle it only once. */
const settled = new Set<string>()

/** Called when the stream ends. Without a last event the outcome is unknown, so it stays stored. */
async function settle(session: string, run: Run): Promise<void> {
  const { run: id, turn, folded } = run
  if (id === null || turn === null || folded.outcome === null || settled.has(id)) return
  settled.add(id)
  const written = await findWritten(session, turn)
  if (written === null) return void settled.delete(id)
  forgetSent(session, id)
  if (folded.outcome !== 'interrupted' && written !== 'turn') notifyLost(run, written)
  if (written === 'nowhere' && !discarded.delete(id)) giveBack(session, run)
}

function giveBack(session: string, { prompt, images, key }: Run): void {
  returnPrompt(session, prompt, { images, order: key })
}

/**
 * What the transcript has of a prompt: a turn, part of one (an answered slash command), or nothing.
 * Null if the server cannot answer now.
 */
async function findWritten(
  session: string,
  turn: string,
): Promise<'turn' | 'part' | 'nowhere' | null> {
  const known = queries.getQueryData<ShowView>(keys.turn(session, turn))
  try {
    const shown = known ?? (await client().turn({ session, turn }))
    return shown.turn.id === turn ? 'turn' : 'part'
  } catch (error) {
    const { code } = failureFrom(error)
    return code === 'turn-not-found' || code === 'session-not-found' ? 'nowhere' : null
  }
}

/** Shows the answer to a prompt that became no turn; it would vanish with the live view. */
function notifyLost({ prompt, folded }: Run, written: 'part' | 'nowhere'): void {
  const words = folded.blocks
    .flatMap((block) => (block.kind === 'text' || block.kind === 'said' ? [block.text] : []))
    .join('\n')
  if (written === 'nowhere')
    notify({
      kind: 'failed',
      title:
        words === '' ? `The agent did nothing with “${brief(prompt, 60)}”.` : brief(words, 200),
    })
  else if (words !== '') notify({ kind: 'said', title: brief(prompt, 60), text: words })
}

export interface PromptOptions {
  readonly images?: readonly DraftImage[]
  readonly model?: string
  readonly permissionMode?: string
}

function imagesToSend(images: readonly DraftImage[]): { images?: ImageView[] } {
  return images.length === 0 ? {} : { images: images.map(({ type, data }) => ({ type, data })) }
}

/**
 * Starts a session in a project, and resolves with its id once the agent has the prompt. The page
 * that shows the session then joins the turn from its start.
 */
export function startSession(
  project: string,
  prompt: string,
  { images = [], ...how }: PromptOptions = {},
): Promise<string> {
  const controller = new AbortController()
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  client()
    .start(
      { project, prompt, ...how, ...imagesToSend(images) },
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

const coming = new Map<string, Promise<void>>()

/** After a reload or a reconnect: resumes what this tab sent, and joins what runs now. */
function comeBack(session: string, isBusy: boolean): void {
  const before = coming.get(session)
  const all = async (): Promise<void> => {
    await before
    for (const sent of sentIn(session))
      // In sequence, because the page lists them in this order.
      if (!settled.has(sent.run) && !runsIn(session).some(({ run }) => run === sent.run))
        await resume(session, sent)
    if (isBusy && runsIn(session).every(({ queued }) => queued)) void join(session)
  }
  coming.set(session, all())
}

/** Follows a prompt of this tab again. Resolves once it is known whether it still runs. */
async function resume(session: string, sent: SentPrompt): Promise<void> {
  const run = makeRun(sent.prompt, { images: await readSentImages(sent.run), isOwn: true })
  const { promise, resolve } = Promise.withResolvers<void>()
  const toEnd = async (): Promise<void> => {
    try {
      const last = await followRun(session, run, (onEvent, signal) =>
        client().followRun(
          { run: sent.run },
          {
            signal,
            onEvent(event) {
              onEvent(event)
              resolve()
            },
          },
        ),
      )
      await settle(session, last)
    } catch (error) {
      dropRun(session, run)
      const { code } = failureFrom(error)
      // A restarted server knows no runs; what the agent got is in the transcript.
      if (code === 'run-not-found')
        await settle(session, {
          ...run,
          ...sent,
          folded: { ...run.folded, outcome: 'interrupted' },
        })
      else if (code !== 'server-unreachable') showFailure(error)
    }
    resolve()
  }
  void toEnd()
  return promise
}

/** Follows a turn that another window may have started. */
export async function joinRun(session: string): Promise<void> {
  if (!isFollowed(session)) await join(session)
}

async function join(session: string): Promise<void> {
  if (!watched.has(session)) return
  const run = makeRun('')
  const twice = new AbortController()
  try {
    await followRun(session, run, (onEvent, signal) =>
      client().rejoin(
        { session },
        {
          signal: AbortSignal.any([twice.signal, signal]),
          onEvent(event) {
            // A prompt of this tab may have started meanwhile, and is already followed.
            const isKnown =
              event.type === 'started' && runsIn(session).some((each) => each.run === event.run)
            if (isKnown) twice.abort()
            else if (!twice.signal.aborted) onEvent(event)
          },
        },
      ),
    )
  } catch (error) {
    dropRun(session, run)
    const { code } = failureFrom(error)
    if (twice.signal.aborted) return
    if (code !== 'run-not-found' && code !== 'server-unreachable') showFailure(error)
  }
}

/** Stops the turn and the prompts queued behind it. Resolves when no more events can follow. */
export async function stopRun(session: string): Promise<void> {
  changeRuns(session, (runs) => runs.map((run) => ({ ...run, stopping: true })))
  try {
    await client().abort({ session })
  } catch (error) {
    showFailure(error)
  }
}

const discarded = new Set<string>()

/** Removes a prompt from the queue: `edit` returns it to the draft, `discard` drops it. */
export async function dropQueued(run: string, what: 'edit' | 'discard'): Promise<void> {
  if (what === 'discard') discarded.add(run)
  try {
    await client().dropQueued({ run })
  } catch (error) {
    discarded.delete(run)
    showFailure(error)
  }
}

export async function answerApproval(approval: string, answer: ApprovalAnswer): Promise<void> {
  try {
    await client().answerApproval({ approval, ...answer })
  } catch (error) {
    showFailure(error)
  }
}
