import type { Approval, RunEvent, RunOutcome } from '#timeline'

/** What a running turn has said and done so far. */
export type Block =
  | { readonly kind: 'text' | 'thinking'; readonly text: string }
  | {
      readonly kind: 'tool'
      readonly id: string
      readonly tool: string
      readonly about: string
      readonly result: { readonly ok: boolean; readonly text: string } | null
    }
  | { readonly kind: 'said'; readonly tone: 'notice' | 'error'; readonly text: string }

export interface Folded {
  readonly blocks: readonly Block[]
  readonly approvals: readonly Approval[]
  /** Null while the turn runs. */
  readonly outcome: RunOutcome | null
}

export const nothingYet: Folded = { blocks: [], approvals: [], outcome: null }

/** Adds one event. Skips the output of subagents: their steps are in the turn once it ends. */
export function foldRun(folded: Folded, event: RunEvent): Folded {
  const { blocks, approvals } = folded
  switch (event.type) {
    case 'text':
    case 'thinking': {
      if (event.by !== null) return folded
      const last = blocks.at(-1)
      const more =
        last?.kind === event.type
          ? [...blocks.slice(0, -1), { ...last, text: last.text + event.text }]
          : [...blocks, { kind: event.type, text: event.text }]
      return { ...folded, blocks: more }
    }
    case 'tool':
      if (event.by !== null) return folded
      return {
        ...folded,
        blocks: [
          ...blocks,
          { kind: 'tool', id: event.id, tool: event.tool, about: event.about, result: null },
        ],
      }
    case 'tool_result':
      return {
        ...folded,
        blocks: blocks.map((block) =>
          block.kind === 'tool' && block.id === event.id
            ? { ...block, result: { ok: event.ok, text: event.text } }
            : block,
        ),
      }
    case 'approval':
      return { ...folded, approvals: [...approvals, event] }
    case 'approval_answered':
      return { ...folded, approvals: approvals.filter(({ id }) => id !== event.id) }
    case 'retry': {
      const text = `The model could not be reached; try ${event.attempt} of ${event.attempts}.`
      return { ...folded, blocks: [...blocks, { kind: 'said', tone: 'notice', text }] }
    }
    case 'error':
    case 'notice':
      return {
        ...folded,
        blocks: [...blocks, { kind: 'said', tone: event.type, text: event.message }],
      }
    case 'turn_end':
      return { ...folded, approvals: [], outcome: event.outcome }
  }
}
