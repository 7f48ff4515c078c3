import { readStoredImages, storeImages } from './draft-images.ts'
import type { DraftImage } from './read-image.ts'

/**
 * Prompts that this tab sent and whose turn is not over. Stored, because a reload or a server crash
 * would lose queued ones. In sessionStorage, so that other tabs do not return them too.
 */
export interface SentPrompt {
  readonly run: string
  readonly turn: string
  readonly prompt: string
}

const PREFIX = 'retake.sent.'

export function sentIn(session: string): readonly SentPrompt[] {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(PREFIX + session) ?? '[]')
    return Array.isArray(found) ? found.filter(isSent) : []
  } catch {
    return []
  }
}

export function rememberSent(
  session: string,
  sent: SentPrompt,
  images: readonly DraftImage[],
): void {
  if (images.length > 0) storeImages(imagesOf(sent.run), images)
  put(session, [...sentIn(session).filter(({ run }) => run !== sent.run), sent])
}

export function forgetSent(session: string, run: string): void {
  const all = sentIn(session)
  if (!all.some((sent) => sent.run === run)) return
  storeImages(imagesOf(run), [])
  put(
    session,
    all.filter((sent) => sent.run !== run),
  )
}

export function readSentImages(run: string): Promise<readonly DraftImage[]> {
  return readStoredImages(imagesOf(run))
}

const imagesOf = (run: string): string => `sent ${run}`

function put(session: string, all: readonly SentPrompt[]): void {
  try {
    if (all.length === 0) sessionStorage.removeItem(PREFIX + session)
    else sessionStorage.setItem(PREFIX + session, JSON.stringify(all))
  } catch {
    // Storage is full or disabled: the prompts last until the page closes.
  }
}

function isSent(value: unknown): value is SentPrompt {
  const { run, turn, prompt } = (value ?? {}) as Record<string, unknown>
  return [run, turn, prompt].every((each) => typeof each === 'string')
}
