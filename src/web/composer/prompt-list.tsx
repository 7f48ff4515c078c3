import { Finder } from '../frame/turn-list.tsx'
import { ask } from '../plan/planning.ts'
import type { Line } from '../turns/read-line.ts'
import { Dialog } from '../ui/dialog.tsx'

interface PromptListProps {
  readonly session: string
  readonly line: Line
  readonly onClose: () => void
}

/** The prompts to go back to. The chosen one returns to the field by a plan. */
export function PromptList({ session, line, onClose }: PromptListProps) {
  const active = { ...line, turns: line.turns.slice(0, line.here + 1) }
  return (
    <Dialog title="Undo to before a prompt" onClose={onClose}>
      <div className="flex max-h-[50vh] flex-col">
        <Finder
          line={active}
          here={line.turns[line.here]?.number ?? 0}
          onGo={(turn) => {
            onClose()
            ask({ session, body: { verb: 'rewind', turn, before: true }, byKey: true })
          }}
        />
      </div>
    </Dialog>
  )
}
