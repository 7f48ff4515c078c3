import { ArrowUp, LoaderCircle, Square } from 'lucide-react'
import type { ReactNode } from 'react'
import type { StatusView } from '#protocol'
import { useBranchHere } from '../branches/branch-name.ts'
import { useIsUp } from '../connection/connection.ts'
import { undoneTurns, type Line } from '../turns/read-line.ts'
import { Button } from '../ui/button.tsx'
import { Key } from '../ui/key.tsx'
import { Approvals } from './approvals.tsx'
import { offerPrompt, setDraft, useDrafts } from './draft.ts'
import { PromptField } from './prompt-field.tsx'
import { sendPrompt, stopRun, type RunView } from './run.ts'

interface ComposerProps {
  readonly session: string
  readonly line: Line
  readonly run: RunView
  readonly status: StatusView | undefined
  /** What stands beside the way to send. */
  readonly aside?: ReactNode
}

/** The next prompt: says where it continues and what becomes of the turns that are undone. */
export function Composer({ session, line, run, status, aside }: ComposerProps) {
  const text = useDrafts(({ texts }) => texts[session] ?? '')
  const isUp = useIsUp()
  const branch = useBranchHere(session)
  const working = run.state !== 'idle'
  const elsewhere = status?.live != null && !working
  const why = !isUp
    ? 'Retake is not connected.'
    : text.trim() === ''
      ? 'Type a prompt.'
      : elsewhere
        ? 'The session is open in a terminal: go on there, or close it first.'
        : undefined
  const send = (): void => {
    if (why !== undefined) return
    setDraft(session, '')
    void sendPrompt(session, text).then((sent) => sent || offerPrompt(session, text))
  }
  return (
    <section aria-label="Next prompt" className="border-t border-line bg-bg px-5 pt-2.5 pb-3.5">
      <div className="mx-auto flex max-w-3xl flex-col gap-2">
        <Approvals run={run} />
        {run.waiting.map((prompt, at) => (
          <p key={at} className="truncate text-xs text-muted">
            Waits: “{prompt}”
          </p>
        ))}
        <div className="rounded-xl border border-line-strong bg-surface shadow-low focus-within:border-accent">
          <PromptField
            value={text}
            describedBy="continues"
            placeholder={
              working ? 'Say more; it waits until this turn ends' : 'Go on with the session'
            }
            onChange={(value) => setDraft(session, value)}
            onSend={send}
            onEscape={() => {
              if (working) void stopRun(session)
            }}
          />
          <div className="flex min-h-9 items-center gap-2 pr-1.5 pb-1.5 pl-3.5">
            <p id="continues" className="min-w-0 flex-1 truncate text-xs text-muted">
              {continues(line, branch)}
            </p>
            {working && (
              <Button
                size="small"
                unavailable={run.state === 'stopping' ? 'It is being stopped.' : undefined}
                onClick={() => void stopRun(session)}
              >
                {run.state === 'stopping' ? (
                  <LoaderCircle size={12} className="animate-spin" />
                ) : (
                  <Square size={11} fill="currentColor" aria-hidden />
                )}
                Stop <Key>esc</Key>
              </Button>
            )}
            {aside}
            <Button look="primary" size="icon" aria-label="Send" unavailable={why} onClick={send}>
              <ArrowUp size={16} />
            </Button>
          </div>
        </div>
      </div>
    </section>
  )
}

function continues(line: Line, branch: string | null): string {
  const head = line.turns[line.here]
  const undone = undoneTurns(line)
  const on = branch === null ? '' : ` on “${branch}”`
  const where =
    head === undefined ? 'Begins the session' : `Continues after turn ${head.number}${on}`
  if (undone.length === 0) return where
  const stay = undone.length === 1 ? 'undone turn stays' : `${undone.length} undone turns stay`
  return `${where}. The ${stay} as a branch.`
}
