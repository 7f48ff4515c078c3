import { create } from 'zustand'
import { readStoredImages, storeImages } from './draft-images.ts'
import type { DraftImage } from './read-image.ts'

/** The prompt being written in a session. Stored, so that a reload or restart loses nothing. */
export interface Draft {
  readonly text: string
  readonly images: readonly DraftImage[]
  /** Set while the draft is an unedited undone prompt; redoing its turn then clears the draft. */
  readonly offered: string | null
}

const PREFIX = 'retake.draft.'
const none: Draft = { text: '', images: [], offered: null }

export const useDrafts = create<{ drafts: Readonly<Record<string, Draft>> }>(() => ({
  drafts: {},
}))

export function useDraft(session: string): Draft {
  return useDrafts(({ drafts }) => drafts[session] ?? stored(session))
}

export function draftOf(session: string): Draft {
  return useDrafts.getState().drafts[session] ?? stored(session)
}

/** An edit by the user: the draft is no longer an offer that a redo withdraws. */
export function changeDraft(session: string, change: Partial<Omit<Draft, 'offered'>>): void {
  put(session, { ...draftOf(session), ...change, offered: null })
}

export function clearDraft(session: string): void {
  put(session, none)
}

/** Offers an undone prompt for editing, unless the user has begun to write another one. */
export function offerPrompt(session: string, prompt: string): void {
  const now = draftOf(session)
  if (isEmpty(now) || now.offered !== null)
    put(session, { text: prompt, images: [], offered: prompt })
}

/** Adds an offered prompt's images once they are loaded, and drops their `[image]` lines. */
export function offerImages(session: string, prompt: string, images: readonly DraftImage[]): void {
  const now = draftOf(session)
  if (now.offered !== prompt || images.length === 0) return
  put(session, { text: withoutImages(prompt, images.length), images, offered: prompt })
}

/** The offered prompt's turn is active again; sending the prompt would duplicate it. */
export function withdrawPrompt(session: string): void {
  if (draftOf(session).offered !== null) clearDraft(session)
}

interface Returned {
  readonly prompt: string
  readonly order: number
}

const returned = new Map<string, readonly Returned[]>()

/**
 * Puts an unsent prompt back into the draft, above what the user wrote since. If several come back,
 * the one with the smaller `order` was sent first and is put first.
 */
export function returnPrompt(
  session: string,
  prompt: string,
  { images = [], order = 0 }: { images?: readonly DraftImage[]; order?: number } = {},
): void {
  const now = draftOf(session)
  const rest = now.offered === null ? now : none
  const { before, written } = splitReturned(rest.text, returned.get(session) ?? [])
  const all = [...before, { prompt, order }].sort((a, b) => a.order - b.order)
  returned.set(session, all)
  put(session, {
    text: paragraphs([...all.map((each) => each.prompt), written]),
    images: [...images, ...rest.images],
    offered: null,
  })
}

/** Splits a draft into the returned prompts still unedited at its top, and the rest. */
export function splitReturned(
  text: string,
  prompts: readonly Returned[],
): { before: readonly Returned[]; written: string } {
  const top = paragraphs(prompts.map(({ prompt }) => prompt))
  if (top !== '' && text === top) return { before: prompts, written: '' }
  if (top !== '' && text.startsWith(`${top}\n\n`))
    return { before: prompts, written: text.slice(top.length + 2) }
  return { before: [], written: text }
}

function paragraphs(texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n')
}

/** Transcripts have a line `[image]` for each image of a prompt. */
export function namesImages(prompt: string): boolean {
  return /^\[image\]$/m.test(prompt)
}

export function withoutImages(prompt: string, count: number): string {
  const lines = prompt.split('\n')
  for (let left = count; left > 0; left--) {
    const at = lines.indexOf('[image]')
    if (at !== -1) lines.splice(at, 1)
  }
  return lines.join('\n')
}

function isEmpty({ text, images }: Draft): boolean {
  return text === '' && images.length === 0
}

function put(session: string, draft: Draft): void {
  const before = draftOf(session)
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [session]: draft } }))
  const { text, offered } = draft
  try {
    if (text === '') localStorage.removeItem(PREFIX + session)
    else localStorage.setItem(PREFIX + session, JSON.stringify({ text, offered }))
  } catch {
    // Storage is full or disabled: the draft lasts until the page closes.
  }
  if (before.images !== draft.images) storeImages(session, draft.images)
}

const read = new Map<string, Draft>()

/** Reads the storage once per session; later changes are in memory. */
function stored(session: string): Draft {
  const known = read.get(session)
  if (known !== undefined) return known
  const found = parse(session)
  read.set(session, found)
  void addStoredImages(session)
  return found
}

/** Images load later than the text, and are added to the draft as it is by then. */
async function addStoredImages(session: string): Promise<void> {
  const images = await readStoredImages(session)
  if (images.length === 0) return
  const now = draftOf(session)
  const draft = { ...now, images: [...images, ...now.images] }
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [session]: draft } }))
}

function parse(session: string): Draft {
  try {
    const { text, offered } = JSON.parse(localStorage.getItem(PREFIX + session) ?? '') as {
      text: unknown
      offered: unknown
    }
    if (typeof text !== 'string') return none
    return { ...none, text, offered: typeof offered === 'string' ? offered : null }
  } catch {
    return none
  }
}
