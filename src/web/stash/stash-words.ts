import type { StashView } from '#protocol'

export type StashEntry = StashView['entries'][number]

export function whereIs({ where }: StashEntry): string {
  return where === 'ahead' ? 'ahead of you' : `on branch ${where.label}`
}

const WHY: Readonly<Record<string, string>> = {
  undo: 'left by an undo',
  back: 'left by going back',
  rewind: 'left by a rewind',
  switch: 'left by a switch to another branch',
  'op-undo': 'left by undoing an operation',
}

export function whyItIs({ verb }: StashEntry): string {
  return WHY[verb] ?? `left by ${verb}`
}
