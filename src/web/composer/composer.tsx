import { useAgentOf } from '../connection/agents.ts'
import { ArrowUp, LoaderCircle, Square } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { StatusView } from '#protocol'
import { useBranchHere } from '../branches/branch-name.ts'
import { useIsUp } from '../connection/connection.ts'
import { ask } from '../plan/planning.ts'
import { undoneTurns, type Line } from '../turns/read-line.ts'
import { Button } from '../ui/button.tsx'
import { Key } from '../ui/key.tsx'
import { notify } from '../ui/toasts.tsx'
import { count } from '../words.ts'
import { Approvals } from './approvals.tsx'
import { AttachImages } from './attach-images.tsx'
import { changeDraft, clearDraft, useDraft } from './draft.ts'
import { ImageStrip } from './image-strip.tsx'
import { PromptField } from './prompt-field.tsx'
import { PromptList } from './prompt-list.tsx'
import { RunOptionFields, runOptionsOf } from './run-options.tsx'
import { dropQueued, sendPrompt, stopRun, type RunView, type QueuedPrompt } from './run.ts'
import { readSlash, slashHelp } from './slash.ts'
import { addImages, useDroppedFiles } from './use-images.ts'
import { useOfferedPrompt } from './use-offered-prompt.ts'

interface ComposerProps {
  readonly session: string
  readonly line: Line
  readonly run: RunView
  readonly status: StatusView | undefined
  /** Why no operation can run now; null if one can. */
  readonly blocked: string | null
  /** Shown next to the send button. */
  readonly aside?: ReactNode
}

/** The next prompt. Says where it continues, and that undone turns stay as a try. */
export function Composer({ session, line, run, status, blocked, aside }: ComposerProps) {
  const { short } = useAgentOf(session)
  const { text, images } = useDraft(session)
  useDroppedFiles((dropped) => void addImages(session, dropped))
  useOfferedPrompt(session, line)
  const [listing, setListing] = useState(false)
  const isUp = useIsUp()
  const branch = useBranchHere(session)
  const working = run.state !== 'idle'
  const elsewhere = status?.live != null && !working
  const isEmpty = text.trim() === '' && images.length === 0
  const why = !isUp
    ? 'Retake is not connected.'
    : isEmpty
      ? 'Type a prompt.'
      : elsewhere
        ? 'The session is open in a terminal. Continue there, or close it first.'
        : undefined
  const send = (): void => {
    if (isEmpty) return
    if (why !== undefined) return notify({ kind: 'failed', title: why })
    const help = slashHelp(text)
    if (help !== null) return notify({ kind: 'failed', title: help })
    const command = readSlash(text)
    if (command !== null && blocked !== null) return notify({ kind: 'failed', title: blocked })
    clearDraft(session)
    if (command === null) void sendPrompt(session, text, { images, ...runOptionsOf(session) })
    else ask({ session, body: command, byKey: true })
  }
  return (
    <section
      aria-label="Next prompt"
      className="border-t border-line bg-bg px-5 pt-2.5 pb-3.5 short:pt-1 short:pb-1"
    >
      <div className="mx-auto flex max-w-3xl flex-col gap-2">
        <Approvals run={run} />
        {run.waiting.map((waiting, at) => (
          <Queued key={waiting.run ?? at} waiting={waiting} />
        ))}
        <div className="relative rounded-xl border border-line-strong bg-surface shadow-low focus-within:border-accent">
          <ImageStrip
            images={images}
            className="px-3.5 pt-3"
            onRemove={(at) => changeDraft(session, { images: images.toSpliced(at, 1) })}
          />
          <PromptField
            session={session}
            value={text}
            describedBy="continues"
            placeholder={
              working ? 'Queue a message; it is sent when this turn ends' : `Message ${short}…`
            }
            onChange={(value) => changeDraft(session, { text: value })}
            onPasteFiles={(pasted) => void addImages(session, pasted)}
            onSend={send}
            onEscape={() => {
              if (working) void stopRun(session)
            }}
            onEscapeTwice={() => {
              if (!working && line.here >= 0) setListing(true)
            }}
          />
          <div className="flex min-h-9 flex-wrap items-center justify-end gap-x-2 pr-1.5 pb-1.5 pl-3.5">
            <p
              id="continues"
              className="min-w-0 flex-1 truncate text-xs text-muted max-sm:basis-full"
            >
              {continues(line, branch)}
            </p>
            {working && (
              <Button
                size="small"
                unavailable={run.state === 'stopping' ? 'Stopping…' : undefined}
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
            <RunOptionFields session={session} status={status} />
            <AttachImages session={session} />
            {aside}
            <Button
              variant="primary"
              size="icon"
              aria-label="Send"
              unavailable={why}
              onClick={send}
            >
              <ArrowUp size={16} />
            </Button>
          </div>
        </div>
      </div>
      {listing && <PromptList session={session} line={line} onClose={() => setListing(false)} />}
    </section>
  )
}

/** A queued prompt, with buttons to edit or remove it. */
function Queued({ waiting: { prompt, images, run } }: { waiting: QueuedPrompt }) {
  return (
    <div className="flex items-center gap-1 text-xs text-muted">
      <p dir="auto" className="min-w-0 flex-1 truncate">
        Queued: “{prompt}”{images > 0 && ` with ${count(images, 'image')}`}
      </p>
      {run !== null && (
        <>
          <Button size="small" variant="quiet" onClick={() => void dropQueued(run, 'edit')}>
            Edit
          </Button>
          <Button size="small" variant="quiet" onClick={() => void dropQueued(run, 'discard')}>
            Remove
          </Button>
        </>
      )}
    </div>
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
  return `${where}. The ${stay} as another try.`
}
