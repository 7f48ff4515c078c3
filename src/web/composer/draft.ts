import { create } from 'zustand'

/** What is being written in a session. It is stored, so that a reload or a restart loses nothing. */
interface Draft {
  readonly text: string
  /** An undone prompt that nobody has edited yet: it leaves when its turn is redone. */
  readonly offered: boolean
}

const PREFIX = 'retake.draft.'
const none: Draft = { text: '', offered: false }

export const useDrafts = create<{ drafts: Readonly<Record<string, Draft>> }>(() => ({
  drafts: {},
}))

export function useDraft(session: string): string {
  return useDrafts(({ drafts }) => (drafts[session] ?? stored(session)).text)
}

export function draftOf(session: string): Draft {
  return useDrafts.getState().drafts[session] ?? stored(session)
}

export function setDraft(session: string, text: string, offered = false): void {
  const draft = { text, offered }
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [session]: draft } }))
  try {
    if (text === '') localStorage.removeItem(PREFIX + session)
    else localStorage.setItem(PREFIX + session, JSON.stringify(draft))
  } catch {
    // The browser's storage is full or off: the draft then lives as long as the page.
  }
}

/** Offers an undone prompt for editing. Does not touch what somebody has begun to write. */
export function offerPrompt(session: string, prompt: string): void {
  const now = draftOf(session)
  if (now.text === '' || now.offered) setDraft(session, prompt, true)
}

/** The turn of an offered prompt is active again: sent once more it would be there twice. */
export function withdrawPrompt(session: string): void {
  if (draftOf(session).offered) setDraft(session, '')
}

/** A prompt that was never sent comes back, before what was written since. */
export function returnPrompt(session: string, prompt: string): void {
  const now = draftOf(session)
  const rest = now.offered ? '' : now.text
  setDraft(session, rest === '' ? prompt : `${prompt}\n\n${rest}`)
}

const read = new Map<string, Draft>()

/** Once for each session: what is written later is in memory. */
function stored(session: string): Draft {
  const known = read.get(session)
  if (known !== undefined) return known
  const found = parse(session)
  read.set(session, found)
  return found
}

function parse(session: string): Draft {
  try {
    const draft = JSON.parse(localStorage.getItem(PREFIX + session) ?? '') as Draft
    return typeof draft.text === 'string' ? draft : none
  } catch {
    return none
  }
}
