import { create } from 'zustand'

/** What is being written in each session; an undone prompt comes back here for editing. */
export const useDrafts = create<{ texts: Readonly<Record<string, string>> }>(() => ({ texts: {} }))

export function setDraft(session: string, text: string): void {
  useDrafts.setState(({ texts }) => ({ texts: { ...texts, [session]: text } }))
}

/** Does not touch what somebody has begun to write. */
let offered: { session: string; text: string } | null = null

export function offerPrompt(session: string, text: string): void {
  const now = useDrafts.getState().texts[session] ?? ''
  const isOurs = offered?.session === session && offered.text === now
  if (now !== '' && !isOurs) return
  offered = { session, text }
  setDraft(session, text)
}
