import type { StashView } from '#protocol'

export type StashEntry = StashView['entries'][number]

export function whereIs({ where }: StashEntry): string {
  if (where === 'ahead') return 'ahead of you'
  // An unnamed branch has the start of its id as label, or `main` for a trunk that was left.
  const hasName = where.label !== 'main' && !where.id.startsWith(where.label)
  return hasName ? `on branch ${where.label}` : 'on another branch'
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
