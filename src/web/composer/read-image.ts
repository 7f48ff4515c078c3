import { MAX_IMAGE_BYTES, MAX_IMAGES, type ImageView } from '#protocol'

/** An image in a draft. */
export interface DraftImage extends ImageView {
  readonly name: string
}

const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

/** Pixels. The model scales larger images down to about this. */
const MAX_SIDE = 2000

/** Reads pasted, dropped or chosen files: the images, and why the others were refused. */
export async function readImages(
  files: readonly File[],
  already: number,
): Promise<{ images: DraftImage[]; refused: string[] }> {
  const images: DraftImage[] = []
  const refused: string[] = []
  for (const file of files) {
    const name = file.name === '' ? 'Pasted image' : file.name
    const why =
      already + images.length >= MAX_IMAGES
        ? `A prompt can have ${MAX_IMAGES} images. ${name} was not added.`
        : whyNotImage(file, name)
    const read = why === null ? await tryRead(file, name) : why
    if (typeof read === 'string') refused.push(read)
    else images.push(read)
  }
  return { images, refused }
}

function whyNotImage({ type }: File, name: string): string | null {
  if ((TYPES as readonly string[]).includes(type)) return null
  return `${name} cannot be sent: only PNG, JPEG, GIF and WebP images can. Type @ to name a file.`
}

async function tryRead(file: File, name: string): Promise<DraftImage | string> {
  try {
    const blob = file.size <= MAX_IMAGE_BYTES ? file : await shrink(file)
    if (blob === null || blob.size > MAX_IMAGE_BYTES)
      return `${name} is too large: an image may have ${(MAX_IMAGE_BYTES / 1e6).toFixed(2)} MB.`
    return { name, type: blob.type as DraftImage['type'], data: await base64Of(blob) }
  } catch {
    return `${name} could not be read as an image.`
  }
}

/** Scales a large image down to what the model sees anyway. */
async function shrink(file: File): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height))
  const canvas = new OffscreenCanvas(
    Math.max(1, Math.round(bitmap.width * scale)),
    Math.max(1, Math.round(bitmap.height * scale)),
  )
  canvas.getContext('2d')!.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  const png = await canvas.convertToBlob({ type: 'image/png' })
  if (png.size <= MAX_IMAGE_BYTES) return png
  return canvas.convertToBlob({ type: 'image/jpeg', quality: 0.85 })
}

async function base64Of(blob: Blob): Promise<string> {
  const bytes = new Uint8Array(await blob.arrayBuffer())
  // In chunks: a call takes a limited number of arguments.
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}
