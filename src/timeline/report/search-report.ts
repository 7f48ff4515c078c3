import type { BranchName } from './report.ts'
import type { TurnId, TurnName, TurnState } from '../data/index.ts'

/** The results of a search in all sessions. */
export interface SearchReport {
  readonly words: string
  /** Best first. */
  readonly turns: readonly FoundTurn[]
  readonly files: readonly FoundFile[]
  /** The number of sessions, and how many of them were not read yet. */
  readonly sessions: number
  readonly left: number
}

export interface FoundTurn {
  readonly session: string
  readonly title: string
  readonly project: string | null
  readonly turn: TurnName
  readonly state: TurnState
  readonly branch: BranchName
  readonly prompt: string
  readonly at: string | null
  readonly field: 'prompt' | 'files' | 'commands' | 'answer'
  readonly excerpt: readonly { readonly text: string; readonly hit: boolean }[]
}

export interface FoundFile {
  readonly path: string
  readonly project: string | null
  /** A turn that changed it. */
  readonly session: string
  readonly turn: TurnId
  /** The number of found turns that changed it. */
  readonly turns: number
}
