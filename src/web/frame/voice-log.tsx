import { useMutation } from '@tanstack/react-query'
import { Check, Copy, Mic, Trash2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { VoiceLogView } from '#protocol'
import { client } from '../connection/connection.ts'
import { useVoiceLog } from '../connection/queries.ts'
import { tellFailure } from '../plan/tell-receipt.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { clock, count } from '../words.ts'

type Line = VoiceLogView['lines'][number]

const SPEAKERS: Record<Line['by'], string> = { you: 'You', voice: 'Voice', retake: 'Retake' }

/**
 * What was spoken, beside the turns: a log of its own, from which nothing goes when turns are
 * undone. Where the page is narrow, a line above the prompt opens it.
 */
export function VoiceLog({ session }: { session: string }) {
  const lines = useVoiceLog(session).data?.lines ?? []
  const [open, setOpen] = useState(false)
  if (lines.length === 0) return null
  return (
    <>
      <aside
        aria-label="Voice log"
        className="hidden w-72 shrink-0 flex-col border-l border-line bg-sunken min-[1180px]:flex"
      >
        <div className="flex items-center gap-2 border-b border-line py-1.5 pr-2 pl-4 text-xs">
          <Mic size={13} aria-hidden className="text-muted" />
          <h2 className="flex-1 font-medium">Voice log</h2>
          <Care session={session} lines={lines} />
        </div>
        <Lines lines={lines} />
      </aside>
      <div className="absolute top-2 right-4 z-10 min-[1180px]:hidden">
        <Button size="small" onClick={() => setOpen(true)}>
          <Mic size={12} aria-hidden />
          Voice log · {count(lines.length, 'line')}
        </Button>
      </div>
      {open && (
        <Dialog
          title="Voice log"
          onClose={() => setOpen(false)}
          aside={<Care session={session} lines={lines} />}
        >
          <Lines lines={lines} />
        </Dialog>
      )}
    </>
  )
}

function Lines({ lines }: { lines: readonly Line[] }) {
  const end = useRef<HTMLLIElement>(null)
  useEffect(() => {
    // Newer browsers answer with a promise, and React would call that to clean up.
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

/** The whole of it as text, and away with it: the only way a line ever leaves. */
function Care({ session, lines }: { session: string; lines: readonly Line[] }) {
  const [state, setState] = useState<'shown' | 'copied' | 'asking'>('shown')
  const remove = useMutation({
    mutationFn: () => client().deleteVoiceLog({ session }),
    onError: (error) => tellFailure(error),
  })
  const copy = async (): Promise<void> => {
    const text = lines.map(({ at, by, text: said }) => `${at} ${SPEAKERS[by]}: ${said}`)
    await navigator.clipboard.writeText(`${text.join('\n')}\n`)
    setState('copied')
  }
  if (state === 'asking')
    return (
      <span className="flex items-center gap-1">
        <Button look="danger" size="small" autoFocus onClick={() => remove.mutate()}>
          Delete for good
        </Button>
        <Button look="quiet" size="small" onClick={() => setState('shown')}>
          Keep
        </Button>
      </span>
    )
  return (
    <span className="flex">
      <Button
        look="quiet"
        size="icon"
        aria-label={state === 'copied' ? 'Copied' : 'Copy the voice log'}
        tip="Copy it as text"
        onClick={() => void copy()}
      >
        {state === 'copied' ? <Check size={14} /> : <Copy size={14} />}
      </Button>
      <Button
        look="quiet"
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
