import { useEffect, useEffectEvent } from 'react'
import { notify } from '../ui/toasts.tsx'
import { changeDraft, draftOf } from './draft.ts'
import { readImages } from './read-image.ts'

/** Adds images to a session's draft, and shows which files were refused. */
export async function addImages(session: string, files: readonly File[]): Promise<void> {
  const { images, refused } = await readImages(files, draftOf(session).images.length)
  if (images.length > 0) changeDraft(session, { images: [...draftOf(session).images, ...images] })
  for (const title of refused) notify({ kind: 'failed', title })
}

/** Adds a file dropped anywhere to the prompt; otherwise the browser navigates to it. */
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
