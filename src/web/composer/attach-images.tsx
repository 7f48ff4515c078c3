import { ImagePlus } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../ui/button.tsx'
import { addImages } from './use-images.ts'

/** Picks images for the draft of a session. */
export function AttachImages({ session }: { session: string }) {
  const files = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={files}
        type="file"
        multiple
        hidden
        accept="image/png,image/jpeg,image/gif,image/webp"
        onChange={({ currentTarget }) => {
          void addImages(session, [...(currentTarget.files ?? [])])
          // Otherwise choosing the same file again fires no change event.
          currentTarget.value = ''
        }}
      />
      <Button
        variant="quiet"
        size="icon"
        aria-label="Attach images"
        tip="Attach images; you can also paste or drop them"
        onClick={() => files.current?.click()}
      >
        <ImagePlus size={15} aria-hidden />
      </Button>
    </>
  )
}
