export type Theme = 'light' | 'dark'

/** The pictures in docs/pictures, with the themes of each. */
export const PICTURES = {
  approval: ['light'],
  branches: ['light', 'dark'],
  checkpoints: ['light'],
  'codex-list': ['light'],
  'codex-plan': ['light'],
  'codex-undone': ['light'],
  compare: ['light', 'dark'],
  conflict: ['dark'],
  files: ['light', 'dark'],
  'first-look': ['light'],
  'first-run': ['light'],
  graph: ['light', 'dark'],
  home: ['light'],
  keys: ['light'],
  lineage: ['light'],
  menu: ['light'],
  narrow: ['light'],
  'new-session': ['light'],
  operations: ['light'],
  plan: ['light', 'dark'],
  running: ['light'],
  search: ['light'],
  session: ['light', 'dark'],
  sessions: ['light'],
  settings: ['light'],
  stash: ['light'],
  stranger: ['light'],
  tries: ['light', 'dark'],
  'two-logs': ['light', 'dark'],
  undone: ['light', 'dark'],
  versions: ['light', 'dark'],
  voice: ['light', 'dark'],
} as const satisfies Record<string, readonly Theme[]>

export type PictureName = keyof typeof PICTURES

export function pictureFiles(): string[] {
  return Object.entries(PICTURES).flatMap(([name, themes]) =>
    themes.map((theme) => `${name}-${theme}.png`),
  )
}
