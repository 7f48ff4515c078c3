import {
  ClipboardCopy,
  Columns2,
  Copy,
  Eraser,
  Flag,
  GitBranchPlus,
  Link2,
  ListEnd,
  OctagonX,
  Pencil,
  Redo2,
  Undo2,
  Split,
  type LucideIcon,
} from 'lucide-react'
import type { PlanBody } from '#protocol'
import { ask } from '../plan/planning.ts'
import { copyText } from '../ui/copy-button.tsx'
import type { MenuItem } from '../ui/menu.tsx'
import { notify } from '../ui/toasts.tsx'
import { siblingsOf, type TurnView } from './read-line.ts'
import { editPrompt } from './turn-prompt.tsx'
import type { TurnContext } from './turn-context.ts'

/** Actions that a row also shows as buttons. */
export type QuickAction = 'redo' | 'edit' | 'undo-before' | 'undo-after'

export interface TurnAction extends MenuItem {
  readonly quick?: QuickAction
}

/** Everything that can be done with a turn. Unavailable actions say why. */
export function turnActions(context: TurnContext, turn: TurnView): TurnAction[] {
  const { session, line, blocked, stopFirst } = context
  if (turn.kind === 'orphan') return [copyLink(session, turn)]
  const place = line.turns.indexOf(turn)
  const isHead = place === line.here
  const undone = turn.state === 'undone'
  const start = (body: PlanBody) => (): void => ask({ session, body })
  const items: TurnAction[] = []
  if (undone) {
    items.push({
      quick: 'redo',
      label: 'Redo to here',
      icon: Redo2,
      unavailable: blocked,
      run: start({ verb: 'redo', count: place - line.here }),
    })
  } else {
    const before: PlanBody = { verb: 'rewind', turn: turn.id, before: true }
    if (stopFirst !== null)
      items.push({
        label: 'Stop the agent, then undo to before this prompt',
        icon: OctagonX,
        run: () => void stopFirst().then(start(before)),
      })
    items.push(
      {
        quick: 'edit',
        label: 'Edit this prompt',
        icon: Pencil,
        shortcut: 'e',
        unavailable: turn.kind === 'prompt' ? blocked : 'Only prompts can be edited.',
        run: () => editPrompt(turn.id),
      },
      {
        quick: 'undo-before',
        label: 'Undo to before this prompt',
        icon: Undo2,
        shortcut: 'u',
        unavailable: blocked,
        run: start(before),
      },
      {
        quick: 'undo-after',
        label: 'Undo everything after this',
        icon: ListEnd,
        unavailable: isHead ? 'The session is already here.' : blocked,
        run: start({ verb: 'rewind', turn: turn.id }),
      },
    )
    const out = turn.filesState === 'reverted'
    items.push({
      label: out ? 'Bring this turn’s file changes back' : 'Revert this turn’s file changes',
      icon: Eraser,
      unavailable: turn.files.length === 0 ? 'This turn changed no files.' : blocked,
      run: start({ verb: 'revert', turn: turn.id, ...(out ? { off: true } : {}) }),
    })
  }
  items.push(
    {
      label: 'Branch from here as a new session',
      icon: GitBranchPlus,
      separate: true,
      unavailable: blocked,
      run: () => context.branchFrom(turn),
    },
    {
      label: 'Name this turn (checkpoint)',
      icon: Flag,
      shortcut: 'c',
      unavailable: blocked,
      run: () => context.nameTurn(turn),
    },
  )
  const head = line.turns[line.here]
  items.push({
    label: 'Compare with where you are',
    icon: Columns2,
    unavailable: head === undefined || isHead ? 'The session is already here.' : null,
    run: () => {
      if (head !== undefined) context.compare(turn, head)
    },
  })
  if (siblingsOf(line, turn).length > 1)
    items.push({
      label: 'Other tries at this turn',
      icon: Split,
      shortcut: 'b',
      run: () => context.openBranches(turn),
    })
  items.push(
    { ...copyLink(session, turn), separate: true },
    copies('Copy the prompt', 'Prompt', ClipboardCopy, turn.prompt),
    copies('Copy turn id', 'Id', Copy, turn.id),
  )
  return items
}

function copyLink(session: string, turn: TurnView): MenuItem {
  const link = `${location.origin}/s/${session}?turn=${encodeURIComponent(turn.id)}`
  return copies('Copy link to this turn', 'Link', Link2, link)
}

function copies(label: string, what: string, icon: LucideIcon, text: string): MenuItem {
  const run = (): void =>
    void copyText(text).then((done) => done && notify({ kind: 'said', title: `${what} copied` }))
  return { label, icon, run }
}
