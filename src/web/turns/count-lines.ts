import type { HunksView } from '#protocol'

export function countLines({ hunks }: HunksView): { added: number; removed: number } {
  let [added, removed] = [0, 0]
  for (const { lines } of hunks ?? [])
    for (const { change } of lines)
      if (change === 'added') added += 1
      else if (change === 'removed') removed += 1
  return { added, removed }
}
