import type { FoundFile, FoundTurn, SearchReport } from '#timeline'

export interface SearchView {
  schema: 'retake.search/1'
  words: string
  /** The best first. */
  turns: (Omit<FoundTurn, 'excerpt'> & { excerpt: { text: string; hit: boolean }[] })[]
  files: FoundFile[]
  sessions: number
  /** Sessions that were not read yet: asked again, the answer has more. */
  left: number
}

export function searchView({ words, turns, files, sessions, left }: SearchReport): SearchView {
  return {
    schema: 'retake.search/1',
    words,
    turns: turns.map((turn) => ({ ...turn, excerpt: [...turn.excerpt] })),
    files: [...files],
    sessions,
    left,
  }
}
