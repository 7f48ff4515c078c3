import { Mic, MicOff, PhoneOff } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { wordRemedy } from '#failure'
import type { RunView } from '../composer/run.ts'
import { client } from '../connection/connection.ts'
import { InlineCode } from '../plan/inline-code.tsx'
import { prefer, usePreferences } from '../preferences.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { onPage } from '../ui/page-words.ts'
import { brief } from '../words.ts'
import { questionOf, type Desk } from './carry-out.ts'
import { openTalk, type Talk } from './talk.ts'
import { useTalk } from './talk-state.ts'
import type { Taken } from './take-command.ts'

interface VoiceControlsProps {
  readonly desk: Desk
  readonly run: RunView
  readonly onTaken: (taken: Taken) => void
}

/** The microphone: start, mode, device and what it hears. Also says what is missing. */
export function VoiceControls({ desk, run, onTaken }: VoiceControlsProps) {
  // Loaded again whenever the bar opens: the key may have been set meanwhile.
  const { data: voice } = useQuery({
    queryKey: ['voice'],
    queryFn: () => client().voice({}),
    staleTime: 0,
  })
  const [talk, setTalk] = useState<Talk | null>(null)
  const state = useTalk((talking) => talking.state)
  const why = useTalk((talking) => talking.why)
  useEffect(() => () => talk?.end(), [talk])
  useTelling(state === 'on' ? talk : null, run)
  const isOff = state === 'off'
  const missing =
    voice?.why === undefined ? undefined : wordRemedy(voice.remedy ?? voice.why, onPage)
  const said = why ?? (isOff ? (missing ?? null) : null)
  return (
    <>
      <div className="flex flex-wrap items-center gap-2">
        {isOff ? (
          <Button
            unavailable={voice === undefined ? 'One moment…' : missing}
            onClick={() => setTalk(openTalk(desk, onTaken))}
          >
            <Mic size={14} aria-hidden />
            Speak
          </Button>
        ) : (
          <Running talk={talk!} />
        )}
        <Modes />
        <Devices talk={talk} />
      </div>
      {said !== null && (
        <p role="note" className="text-xs text-muted">
          <InlineCode text={said} />
        </p>
      )}
    </>
  )
}

const STATES = {
  off: '',
  connecting: 'Connecting…',
  on: 'Listening',
  reconnecting: 'Connecting again…',
}

function Running({ talk }: { talk: Talk }) {
  const { state, muted, held, level, hearing, speaking, heard } = useTalk()
  const { handsFree } = usePreferences()
  const doing = speaking ? 'Speaking' : muted ? 'Muted' : hearing ? 'Hearing you' : STATES[state]
  return (
    <>
      <Button onClick={() => talk.end()}>
        <PhoneOff size={14} aria-hidden />
        End
      </Button>
      {!handsFree && (
        <Button
          variant={held ? 'primary' : 'plain'}
          aria-pressed={held}
          onPointerDown={() => talk.hold(true)}
          onPointerUp={() => talk.hold(false)}
          onPointerLeave={() => talk.hold(false)}
          onKeyDown={({ key, repeat }) => key === ' ' && !repeat && talk.hold(true)}
          onKeyUp={({ key }) => key === ' ' && talk.hold(false)}
          onBlur={() => talk.hold(false)}
        >
          Hold to speak
        </Button>
      )}
      <Button
        variant="quiet"
        size="icon"
        aria-label="Mute the microphone"
        aria-pressed={muted}
        onClick={() => talk.mute(!muted)}
      >
        {muted ? <MicOff size={15} /> : <Mic size={15} />}
      </Button>
      <meter
        aria-label="How loud the microphone is"
        max={0.3}
        value={Math.min(0.3, level)}
        className="w-16"
      />
      <span role="status" className="min-w-0 truncate text-xs text-muted">
        {doing}
        {heard !== '' && ` · “${brief(heard, 80)}”`}
      </span>
    </>
  )
}

const MODES = { held: 'Hold to speak', free: 'Backends free' } as const

function Modes() {
  const { handsFree } = usePreferences()
  return (
    <Choice
      legend="How to speak"
      of={MODES}
      value={handsFree ? 'free' : 'held'}
      onChange={(mode) => prefer({ handsFree: mode === 'free' })}
    />
  )
}

function Devices({ talk }: { talk: Talk | null }) {
  const { devices } = useTalk()
  const { microphone } = usePreferences()
  if (devices.length < 2) return null
  const known = devices.some(({ id }) => id === microphone)
  return (
    <select
      aria-label="Microphone"
      value={known ? microphone! : ''}
      onChange={({ target: { value } }) => {
        prefer({ microphone: value === '' ? null : value })
        void talk?.changeMicrophone()
      }}
      className="h-7 max-w-44 rounded-md border border-line bg-surface px-1.5 text-xs"
    >
      {!known && <option value="">The browser’s microphone</option>}
      {devices.map(({ id, label }) => (
        <option key={id} value={id}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** Characters of an answer that the model gets. */
const MAX_SPOKEN = 1500

/** Users who only listen cannot see that the agent asks, or is done. */
function useTelling(talk: Talk | null, run: RunView): void {
  const told = useRef<string | null>(null)
  const [asked] = run.approvals
  useEffect(() => {
    if (talk === null || asked === undefined || told.current === asked.id) return
    told.current = asked.id
    talk.tell(`${questionOf(asked)} Ask the user, and answer with answer_approval.`)
  }, [talk, asked])
  const isDone = run.outcome === 'done'
  const answer = run.blocks.findLast(({ kind }) => kind === 'text')
  const text = answer?.kind === 'text' ? answer.text : ''
  useEffect(() => {
    // A stopped or undone turn is not reported: the user did that.
    if (talk === null || !isDone || told.current === run.turn) return
    told.current = run.turn
    talk.tell(`The agent is done. Its answer, to be told briefly: ${text.slice(-MAX_SPOKEN)}`)
  }, [talk, isDone, run.turn, text])
}
