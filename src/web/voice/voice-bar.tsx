import { CornerDownLeft, Mic, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { create } from 'zustand'
import { Button } from '../ui/button.tsx'
import { EXAMPLES } from './parse-command.ts'
import { takeTyped, type Taken } from './take-command.ts'
import { useDesk, type Shown } from './use-desk.ts'
import { VoiceControls } from './voice-controls.tsx'

const useBar = create<{ open: boolean }>(() => ({ open: false }))

export function VoiceButton() {
  const { open } = useBar()
  return (
    <Button
      variant="quiet"
      size="icon"
      aria-label="Voice and commands"
      aria-expanded={open}
      tip="Say or type what to do with the session"
      onClick={() => useBar.setState({ open: !open })}
    >
      <Mic size={15} />
    </Button>
  )
}

/** Commands to Retake itself, apart from prompts to the agent. */
export function VoiceBar(shown: Shown) {
  const { open } = useBar()
  return open ? <Bar {...shown} /> : null
}

function Bar(shown: Shown) {
  const desk = useDesk(shown)
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [taken, setTaken] = useState<Taken | null>(null)
  const send = async (): Promise<void> => {
    if (typed.trim() === '' || busy) return
    setBusy(true)
    setTyped('')
    setTaken(await takeTyped(typed, desk))
    setBusy(false)
  }
  return (
    <section
      aria-label="Voice and commands"
      className="mx-auto mb-2 flex w-[calc(100%-2.5rem)] max-w-3xl animate-appear flex-col gap-2 rounded-xl border border-line-strong bg-surface px-3.5 py-2.5 shadow-high"
    >
      <form
        className="flex items-center gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <input
          autoFocus
          value={typed}
          aria-label="Command"
          placeholder={EXAMPLES.slice(0, 3).join(' · ')}
          onChange={(event) => setTyped(event.target.value)}
          className="h-8 min-w-0 flex-1 rounded-md border border-line bg-sunken px-2.5 text-sm placeholder:text-muted"
        />
        <Button
          type="submit"
          size="icon"
          variant="quiet"
          aria-label="Do it"
          unavailable={typed.trim() === '' ? 'Type a command.' : undefined}
        >
          <CornerDownLeft size={15} />
        </Button>
        <Button
          size="icon"
          variant="quiet"
          aria-label="Close voice and commands"
          onClick={() => useBar.setState({ open: false })}
        >
          <X size={15} />
        </Button>
      </form>
      <VoiceControls desk={desk} run={shown.run} onTaken={setTaken} />
      <p role="status" className="min-h-5 text-sm text-muted">
        {busy ? 'Working…' : <PlanNotes taken={taken} />}
      </p>
    </section>
  )
}

/** The result of the last command. Going back shows in the turns themselves, as with the button. */
function PlanNotes({ taken }: { taken: Taken | null }): ReactNode {
  if (taken === null) return `For example: ${EXAMPLES.slice(3).join(' · ')}`
  if (taken.tool === 'go_back' && taken.outcome.kind === 'done') return null
  const { kind, says } = taken.outcome
  return <span className={kind === 'failed' ? 'text-removed' : 'text-ink'}>{says}</span>
}
