import { create } from 'zustand'
import type { RunEventView } from '#protocol'
import { client } from '../connection/connection.ts'
import { queries, readTurnAgain } from '../connection/queries.ts'
import { foldRun, nothingYet, type Folded } from './fold-run.ts'
import { park } from './parked.ts'
import type { DraftImage } from './read-image.ts'
import { rememberSent } from './sent.ts'

/** One prompt that was sent. It has no turn until the server answers. */
export interface Run {
  readonly key: number
  readonly prompt: string
  readonly images: readonly DraftImage[]
  readonly turn: string | null
  readonly run: string | null
  readonly folded: Folded
  readonly stopping: boolean
  /** It was queued behind another run when it was sent. */
  readonly queued: boolean
  /** Sent by this tab, which returns it to the draft if the agent never gets it. */
  readonly isOwn: boolean
}

const useAll = create<{ runs: Readonly<Record<string, readonly Run[]>> }>(() => ({ runs: {} }))
const followed = new Map<string, number>()
const none: readonly Run[] = []

/** The runs of a session, the running one first. */
export function useRuns(session: string): readonly Run[] {
  return useAll(({ runs }) => runs[session]) ?? none
}

export function runsIn(session: string): readonly Run[] {
  return useAll.getState().runs[session] ?? none
}

export function isFollowed(session: string): boolean {
  return followed.has(session)
}

let made = 0

export function makeRun(
  prompt: string,
  { images = [], isOwn = false }: { images?: readonly DraftImage[]; isOwn?: boolean } = {},
): Run {
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
    isOwn,
  }
}

export type OpenStream = (
  onEvent: (event: RunEventView) => void,
  signal: AbortSignal,
) => Promise<void>

export async function followRun(session: string, first: Run, open: OpenStream): Promise<Run> {
  let run = first
  // Merge only the event's fields: a stop may have changed the run meanwhile.
  const update = (to: Partial<Run>): void => {
    run = { ...run, ...to }
    changeRuns(session, (runs) =>
      runs.map((each) => (each.key === run.key ? { ...each, ...to } : each)),
    )
  }
  const receive = (event: RunEventView): void => {
    if (event.type !== 'started') return update({ folded: foldRun(run.folded, event) })
    const { prompt, turn, run: id, queued, ended } = event
    // An ended one is in the transcript. After a reload, a queued run may report before the running one.
    if (!ended && !runsIn(session).some(({ key }) => key === run.key))
      changeRuns(session, (runs) => (queued ? [...runs, run] : [run, ...runs]))
    update({ prompt, turn, run: id, queued })
    // A stop sent before the server knew the run had no effect, so send it again.
    if (runsIn(session).some(({ key, stopping }) => key === run.key && stopping))
      void client().abort({ session })
    // An ended one may be settled by now: remembered again, it would come back at the next reload.
    if (run.isOwn && !ended) rememberSent(session, { run: id, turn, prompt }, run.images)
  }
  followed.set(session, (followed.get(session) ?? 0) + 1)
  try {
    let stream = open
    while (await isQueuedAfter(stream, receive)) {
      await park(run.turn!)
      stream = (onEvent, signal) => client().followRun({ run: run.run! }, { onEvent, signal })
    }
    // The turn is in the transcript now. Keep the live view until it is loaded from there.
    if (run.turn !== null) await readTurnAgain(session, run.turn)
  } finally {
    const left = (followed.get(session) ?? 1) - 1
    if (left === 0) followed.delete(session)
    else followed.set(session, left)
  }
  dropRun(session, run)
  void queries.invalidateQueries({ queryKey: ['status', session] })
  return run
}

/** Reads a run's stream to its end, or until it says that the run is queued. */
async function isQueuedAfter(
  open: OpenStream,
  receive: (event: RunEventView) => void,
): Promise<boolean> {
  const leave = new AbortController()
  try {
    await open((event) => {
      if (leave.signal.aborted) return
      receive(event)
      if (event.type === 'started' && event.queued) leave.abort()
    }, leave.signal)
  } catch (error) {
    if (!leave.signal.aborted) throw error
  }
  return leave.signal.aborted
}

/**
 * Resolves once the server has every prompt that this tab sent to the session, or refused it. An
 * operation that overtakes a prompt would undo the running turn, and then the prompt would start
 * another one.
 */
export function untilAccepted(session: string): Promise<void> {
  const isPending = (): boolean => runsIn(session).some(({ isOwn, run }) => isOwn && run === null)
  if (!isPending()) return Promise.resolve()
  return new Promise((resolve) => {
    const leave = useAll.subscribe(() => {
      if (isPending()) return
      leave()
      resolve()
    })
  })
}

export function putRun(session: string, run: Run): void {
  changeRuns(session, (runs) => [...runs, run])
}

export function dropRun(session: string, run: Run): void {
  changeRuns(session, (runs) => runs.filter(({ key }) => key !== run.key))
}

export function changeRuns(session: string, to: (runs: readonly Run[]) => readonly Run[]): void {
  useAll.setState(({ runs }) => ({ runs: { ...runs, [session]: to(runs[session] ?? none) } }))
}
