import { useAgentOf } from '../connection/agents.ts'
import { GitBranchPlus } from 'lucide-react'
import { useState } from 'react'
import { ask } from '../plan/planning.ts'
import type { TurnView } from '../turns/read-line.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'

interface NewBranchProps {
  readonly session: string
  readonly title: string
  readonly turn: TurnView
  readonly onClose: () => void
}

/** Asks for a title, then shows the plan for a new session that starts after this turn. */
export function NewBranch({ session, title, turn, onClose }: NewBranchProps) {
  const agent = useAgentOf(session)
  const [name, setName] = useState(`${title} (Branch)`)
  const go = (): void => {
    onClose()
    const given = name.trim() === '' ? {} : { title: name.trim() }
    ask({ session, body: { verb: 'branch', turn: turn.id, ...given } })
  }
  return (
    <Dialog
      title={`Branch from turn ${turn.number ?? ''} as a new session`}
      onClose={onClose}
      footer={
        <>
          <span className="flex-1 text-xs text-muted">This session stays as it is.</span>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" onClick={go}>
            <GitBranchPlus size={15} aria-hidden />
            Show the plan
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          go()
        }}
      >
        <label className="text-sm text-muted">
          Title
          <input
            data-autofocus
            value={name}
            onChange={(event) => setName(event.target.value)}
            className="mt-1 h-9 w-full rounded-md border border-line-strong bg-bg px-3 text-base text-ink"
          />
        </label>
      </form>
      <p className="mt-3 text-sm text-muted">
        It starts with everything up to “{turn.prompt.split('\n', 1)[0]}”, and {agent.name} can
        continue it. The files move with it.
      </p>
    </Dialog>
  )
}
