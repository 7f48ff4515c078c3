import type { CompareReport, CompareSide } from '#timeline'
import { turnView, type TurnView } from './log-view.ts'
import { hunksOf, type HunksView } from './show-view.ts'

export interface CompareSideView {
  /** The request, as it was typed. */
  asked: string
  kind: CompareSide['kind']
  session: string
  title: string
  branch: CompareSide['branch']
  tip: string | null
  /** The number of turns from the first to the tip. */
  length: number
  /** The turns after the fork, numbered along this side's own line. */
  turns: TurnView[]
  figures: {
    turns: number
    messages: number
    steps: number
    files: number
    added: number
    removed: number
    /** Tokens that the model read and wrote; each answer reads everything before it. */
    tokens: { input: number; output: number }
    /** From the first prompt after the fork to the last. */
    milliseconds: number | null
  }
}

export interface ComparedFileView extends HunksView {
  changedBy: 'both' | 'first' | 'second'
  /** Lines from the last state of the first side to that of the second. */
  added: number
  removed: number
}

export interface CompareView {
  schema: 'retake.compare/1'
  /** The last shared turn. */
  fork: { id: string; number: number | null; prompt: string } | null
  sides: [CompareSideView, CompareSideView]
  files: ComparedFileView[]
}

export function compareView({ fork, sides, files }: CompareReport): CompareView {
  return {
    schema: 'retake.compare/1',
    fork,
    sides: [sideView(sides[0]), sideView(sides[1])],
    files: files.map((file) => ({
      ...hunksOf(file),
      changedBy: file.changedBy,
      added: file.added,
      removed: file.removed,
    })),
  }
}

function sideView(side: CompareSide): CompareSideView {
  return {
    asked: side.asked,
    kind: side.kind,
    session: side.session.id,
    title: side.session.title,
    branch: side.branch,
    tip: side.tip,
    length: side.length,
    turns: side.turns.map(turnView),
    figures: {
      turns: side.turns.length,
      messages: side.messages,
      steps: side.steps,
      ...side.effect,
      tokens: side.tokens,
      milliseconds: side.time,
    },
  }
}
