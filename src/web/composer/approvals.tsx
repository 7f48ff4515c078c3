import { ShieldQuestion } from 'lucide-react'
import { useState } from 'react'
import type { Approval } from '#timeline'
import { Button } from '../ui/button.tsx'
import { answerApproval, type RunView } from './run.ts'

/** What the agent wants to do and waits for. */
export function Approvals({ run }: { run: RunView }) {
  return run.approvals.map((approval) => <One key={approval.id} approval={approval} />)
}

function One({ approval }: { approval: Approval }) {
  const [why, setWhy] = useState<string | null>(null)
  const { id, tool, about, title, canAlways } = approval
  const reason = why === null || why.trim() === '' ? {} : { reason: why.trim() }
  return (
    <section
      role="alertdialog"
      aria-label={`Allow ${tool}?`}
      className="animate-appear rounded-xl border border-accent-line bg-accent-soft p-3.5"
    >
      <p className="flex items-center gap-2 text-sm font-medium">
        <ShieldQuestion size={16} aria-hidden className="text-accent" />
        {title ?? `Allow ${tool}?`}
      </p>
      {about !== '' && (
        <pre className="mt-2 max-h-40 overflow-auto rounded-md border border-line bg-surface px-3 py-2 font-mono text-xs whitespace-pre-wrap">
          {about}
        </pre>
      )}
      {approval.why !== null && <p className="mt-1.5 text-xs text-muted">{approval.why}</p>}
      {why !== null && (
        <input
          autoFocus
          aria-label="Why not"
          placeholder="Tell the agent why, or what to do instead"
          value={why}
          onChange={(event) => setWhy(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter') void answerApproval(id, { allow: false, ...reason })
          }}
          className="mt-2 h-8 w-full rounded-md border border-line-strong bg-surface px-2.5 text-sm"
        />
      )}
      <div className="mt-2.5 flex flex-wrap gap-2">
        <Button look="primary" onClick={() => void answerApproval(id, { allow: true })}>
          Allow
        </Button>
        {canAlways && (
          <Button onClick={() => void answerApproval(id, { allow: true, always: true })}>
            Always allow
          </Button>
        )}
        <Button onClick={() => void answerApproval(id, { allow: false, ...reason })}>Deny</Button>
        {why === null && (
          <Button look="quiet" onClick={() => setWhy('')}>
            Deny and say why
          </Button>
        )}
      </div>
    </section>
  )
}
