import { useEffect, useRef } from 'react'
import type { ImageView } from '#protocol'
import { client } from '../connection/connection.ts'
import { showFailure } from '../plan/show-receipt.tsx'
import { undoneTurns, type Line } from '../turns/read-line.ts'
import { draftOf, namesImages, offerImages, useDraft, withdrawPrompt } from './draft.ts'
import type { DraftImage } from './read-image.ts'
import { withdrawIfActive } from './withdraw-if-active.ts'

/** Offers an undone prompt only while its turn is undone, whichever client redoes it. */
export function useOfferedPrompt(session: string, line: Line): void {
  const { offered } = useDraft(session)
  const seen = useRef<string | null>(null)
  useEffect(() => {
    if (offered !== null) void withdrawIfActive(session, offered)
  }, [session, offered])
  useEffect(() => {
    const undone = undoneTurns(line).find(({ prompt }) => prompt === offered)
    // The turns shown may be older than the undo, so withdraw it here only after seeing it undone.
    if (offered !== null && undone === undefined && seen.current === offered)
      withdrawPrompt(session)
    seen.current = undone === undefined ? null : offered
    const { images } = draftOf(session)
    if (undone === undefined || images.length > 0 || !namesImages(undone.prompt)) return
    void client()
      .turnImages({ session, turn: undone.id })
      .then((found) => offerImages(session, undone.prompt, found.images.map(named)))
      .catch(showFailure)
  }, [session, line, offered])
}

function named(image: ImageView, at: number): DraftImage {
  return { ...image, name: `Image ${at + 1}` }
}
