import { X } from 'lucide-react'
import type { ImageView } from '#protocol'

interface ImageStripProps {
  readonly images: readonly (ImageView & { readonly name?: string })[]
  readonly onRemove?: (at: number) => void
  readonly className?: string
}

/** Thumbnails of a prompt's images. */
export function ImageStrip({ images, onRemove, className = '' }: ImageStripProps) {
  if (images.length === 0) return null
  return (
    <ul aria-label="Images" className={`flex flex-wrap gap-2 ${className}`}>
      {images.map(({ type, data, name }, at) => (
        <li key={at} className="relative">
          <img
            src={`data:${type};base64,${data}`}
            alt={name ?? `Image ${at + 1}`}
            className="h-16 w-auto max-w-40 rounded-md border border-line bg-sunken object-cover"
          />
          {onRemove !== undefined && (
            <button
              type="button"
              aria-label={`Remove ${name ?? `image ${at + 1}`}`}
              onClick={() => onRemove(at)}
              className="absolute -top-1.5 -right-1.5 flex size-5 items-center justify-center rounded-full border border-line-strong bg-surface text-muted shadow-low hover:text-ink"
            >
              <X size={12} aria-hidden />
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}
