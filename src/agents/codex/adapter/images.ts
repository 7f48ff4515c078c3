import type { ImageType, PromptImage } from '../../open-session.ts'
import type { TurnEntry } from '../chain/index.ts'
import { field, string } from '../rows/index.ts'
import { rowsOf } from '../steps/index.ts'

const DATA = /^data:(image\/(?:png|jpeg|gif|webp));base64,/

/** The images that the model got with a prompt. */
export function imagesOf({ rollout, rows }: TurnEntry): PromptImage[] {
  return rowsOf(rollout.path, rows).flatMap(({ row }) => {
    const content = row?.payload?.['content']
    if (row?.kind !== 'message' || row.payload?.['role'] !== 'user' || !Array.isArray(content))
      return []
    return content.flatMap((part) => {
      const url = string(field(part, 'image_url')) ?? ''
      const found = DATA.exec(url)
      if (found === null) return []
      return [{ type: found[1] as ImageType, data: url.slice(found[0].length) }]
    })
  })
}
