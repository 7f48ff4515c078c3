import { useMutation } from '@tanstack/react-query'
import { Check, Copy, Mic, PanelRightClose, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { VoiceLogView } from '#protocol'
import { client } from '../connection/connection.ts'
import { useVoiceLog } from '../connection/queries.ts'
import { showFailure } from '../plan/show-receipt.tsx'
import { prefer, usePreferences } from '../preferences.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { clock, count } from '../words.ts'

type Line = VoiceLogView['lines'][number]

const SPEAKERS: Record<Line['by'], string> = { you: 'You', voice: 'Voice', retake: 'Retake' }

/** The voice log beside the turns. Undo removes nothing from it. */
export function VoiceLog({ session }: { session: string }) {
  const lines = useVoiceLog(session).data?.lines ?? []
  const { voiceLogFolded: folded } = usePreferences()
  if (lines.length === 0) return null
  const beside = 'hidden shrink-0 border-l border-line bg-sunken'
  if (folded)
    return (
      <aside aria-label="Voice log" className={`${beside} p-1.5 min-[1180px]:block`}>
        <Button
          variant="quiet"
          size="icon"
          aria-label="Show the voice log"
          tip={`Show the voice log (${count(lines.length, 'line')})`}
          onClick={() => prefer({ voiceLogFolded: false })}
        >
          <Mic size={14} />
        </Button>
      </aside>
    )
  return (
    <aside aria-label="Voice log" className={`${beside} w-72 flex-col min-[1180px]:flex`}>
      <div className="flex items-center gap-2 border-b border-line py-1.5 pr-2 pl-4 text-xs">
        <Mic size={13} aria-hidden className="text-muted" />
        <h2 className="flex-1 font-medium">Voice log</h2>
        <LogActions session={session} lines={lines} />
        <Button
          variant="quiet"
          size="icon"
          aria-label="Hide the voice log"
          tip="Hide it; nothing is deleted"
          onClick={() => prefer({ voiceLogFolded: true })}
        >
          <PanelRightClose size={14} />
        </Button>
      </div>
      <Lines lines={lines} />
    </aside>
  )
}

/** On narrow pages: a button above the prompt that opens the log and covers no turn. */
export function VoiceLogLine({ session }: { session: string }) {
  const lines = useVoiceLog(session).data?.lines ?? []
  const [open, setOpen] = useState(false)
  if (lines.length === 0) return null
  return (
    <div className="mx-auto flex w-full max-w-3xl px-5 pb-1 min-[1180px]:hidden">
      <Button size="small" variant="quiet" onClick={() => setOpen(true)}>
        <Mic size={12} aria-hidden />
        Voice log · {count(lines.length, 'line')}
      </Button>
      {open && (
        <Dialog
          title="Voice log"
          onClose={() => setOpen(false)}
          aside={<LogActions session={session} lines={lines} />}
        >
          <Lines lines={lines} />
        </Dialog>
      )}
    </div>
  )
}

function Lines({ lines }: { lines: readonly Line[] }) {
  const end = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // In braces: newer browsers return a promise, which React would call as cleanup.
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [lines.length])
  return (
    <ol
      tabIndex={0}
      aria-label="What was spoken"
      className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4 text-sm"
    >
      {lines.map(({ number, at, by, text }) => (
        <li key={number} ref={number === lines.at(-1)!.number ? end : null}>
          <p className="flex items-baseline gap-2 text-xs text-muted">
            <span className={by === 'retake' ? 'text-accent' : 'font-medium text-ink'}>
              {SPEAKERS[by]}
            </span>
            <time dateTime={at}>{clock(at)}</time>
          </p>
          <p className="break-words whitespace-pre-wrap">{text}</p>
        </li>
      ))}
    </ol>
  )
}

/** Copies the log as text, or deletes it. Lines leave the log in no other way. */
function LogActions({ session, lines }: { session: string; lines: readonly Line[] }) {
  const [state, setState] = useState<'shown' | 'copied' | 'asking'>('shown')
  const remove = useMutation({
    mutationFn: () => client().deleteVoiceLog({ session }),
    onError: (error) => showFailure(error),
  })
  const copy = async (): Promise<void> => {
    const text = lines.map(({ at, by, text: said }) => `${at} ${SPEAKERS[by]}: ${said}`)
    await navigator.clipboard.writeText(`${text.join('\n')}\n`)
    setState('copied')
  }
  if (state === 'asking')
    return (
      <span className="flex items-center gap-1">
        <Button variant="danger" size="small" autoFocus onClick={() => remove.mutate()}>
          Delete for good
        </Button>
        <Button variant="quiet" size="small" onClick={() => setState('shown')}>
          Cancel
        </Button>
      </span>
    )
  return (
    <span className="flex">
      <Button
        variant="quiet"
        size="icon"
        aria-label={state === 'copied' ? 'Copied' : 'Copy the voice log'}
        tip="Copy it as text"
        onClick={() => void copy()}
      >
        {state === 'copied' ? <Check size={14} /> : <Copy size={14} />}
      </Button>
      <Button
        variant="quiet"
        size="icon"
        aria-label="Delete the voice log"
        tip="Delete the voice log"
        onClick={() => setState('asking')}
      >
        <Trash2 size={14} />
      </Button>
    </span>
  )
}
