import type { FoundFile, FoundTurn, SearchReport } from '#timeline'

export interface SearchView {
  schema: 'retake.search/1'
  words: string
  /** Best matches first. */
  turns: (Omit<FoundTurn, 'excerpt'> & { excerpt: { text: string; hit: boolean }[] })[]
  files: FoundFile[]
  sessions: number
  /** Sessions not indexed yet: repeating the request returns more. */
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
