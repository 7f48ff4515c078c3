import { MAX_IMAGE_BYTES, MAX_IMAGES, type ImageView } from '#protocol'

/** A picture in a prompt that is being written. */
export interface DraftImage extends ImageView {
  readonly name: string
}

const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

/** The model scales anything larger down to about this, in pixels. */
const LONGEST_SIDE = 2000

/** What came of files that were pasted, dropped or chosen: pictures, and why others are not taken. */
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

/** A large picture, as large as the model looks at it. */
async function shrink(file: File): Promise<Blob | null> {
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, LONGEST_SIDE / Math.max(bitmap.width, bitmap.height))
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
  // A few thousand at a time: a call takes only so many arguments.
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}
