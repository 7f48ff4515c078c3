import { useEffect, useEffectEvent } from 'react'
import { notify } from '../ui/toasts.tsx'
import { changeDraft, draftOf } from './draft.ts'
import { readImages } from './read-image.ts'

/** Adds pictures to a session's draft, and says which files it could not take. */
export async function addImages(session: string, files: readonly File[]): Promise<void> {
  const { images, refused } = await readImages(files, draftOf(session).images.length)
  if (images.length > 0) changeDraft(session, { images: [...draftOf(session).images, ...images] })
  for (const title of refused) notify({ kind: 'failed', title })
}

/** A file that is dropped anywhere goes into the prompt; the browser would leave the page for it. */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void): void {
  const take = useEffectEvent(onFiles)
  useEffect(() => {
    const hasFiles = (event: DragEvent): boolean =>
      event.dataTransfer?.types.includes('Files') === true
    const onOver = (event: DragEvent): void => {
      if (hasFiles(event)) event.preventDefault()
    }
    const onDrop = (event: DragEvent): void => {
      if (!hasFiles(event)) return
      event.preventDefault()
      take([...event.dataTransfer!.files])
    }
    addEventListener('dragover', onOver)
    addEventListener('drop', onDrop)
    return () => {
      removeEventListener('dragover', onOver)
      removeEventListener('drop', onDrop)
    }
  }, [])
}
