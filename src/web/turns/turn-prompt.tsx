import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { create } from 'zustand'
import type { PlanBody } from '#protocol'
import { changeDraft, draftOf, namesImages, withoutImages } from '../composer/draft.ts'
import { ImageStrip } from '../composer/image-strip.tsx'
import { PromptField } from '../composer/prompt-field.tsx'
import type { DraftImage } from '../composer/read-image.ts'
import { client } from '../connection/connection.ts'
import { ask } from '../plan/planning.ts'
import { Button } from '../ui/button.tsx'
import { Key } from '../ui/key.tsx'
import type { TurnView } from './read-line.ts'
import type { TurnContext } from './turn-context.ts'

/** The turn being edited in place, and its text. Off screen its row is unmounted. */
const useEdited = create<{ turn: string | null; text: string | null }>(() => ({
  turn: null,
  text: null,
}))

export function editPrompt(turn: string | null): void {
  useEdited.setState({ turn, text: null })
}

interface TurnPromptProps {
  readonly turn: TurnView
  readonly context: TurnContext
  /** The list is not scrolling, so images may be loaded. */
  readonly resting: boolean
}

/** A turn's prompt with its images; a text field while it is edited. */
export function TurnPrompt({ turn, context, resting }: TurnPromptProps) {
  const { session } = context
  const isEdited = useEdited((edited) => edited.turn === turn.id)
  const { data } = useQuery({
    queryKey: ['turn-images', session, turn.id],
    queryFn: () => client().turnImages({ session, turn: turn.id }),
    enabled: namesImages(turn.prompt) && (resting || isEdited),
    gcTime: 60_000,
  })
  const images = data?.images ?? []
  const text = withoutImages(turn.prompt, images.length)
  return (
    <>
      {isEdited ? (
        <Edit
          text={text}
          images={images.map((image, at) => ({ ...image, name: `Image ${at + 1}` }))}
          turn={turn}
          context={context}
        />
      ) : (
        <Prompt text={text} />
      )}
      <ImageStrip images={images} className="mt-2" />
    </>
  )
}

const LONG = 700

function Prompt({ text }: { text: string }) {
  const [all, setAll] = useState(false)
  const long = text.length > LONG && !all
  return (
    <div
      dir="auto"
      className="text-base leading-relaxed font-medium break-words whitespace-pre-wrap"
    >
      {long ? `${text.slice(0, LONG)}…` : text}
      {long && (
        <button
          type="button"
          onClick={() => setAll(true)}
          className="ml-2 text-xs font-normal text-accent underline"
        >
          Show all
        </button>
      )}
    </div>
  )
}

interface EditProps {
  readonly text: string
  readonly images: readonly DraftImage[]
  readonly turn: TurnView
  readonly context: TurnContext
}

/** Editing changes nothing: Enter shows the plan, Escape discards the text. */
function Edit({ text: before, images, turn, context }: EditProps) {
  const { session, blocked, line } = context
  const text = useEdited((edited) => edited.text) ?? before
  const leave = (): void => {
    editPrompt(null)
    document.querySelector<HTMLElement>(`[data-turn="${CSS.escape(turn.id)}"]`)?.focus()
  }
  const go = (): void => {
    if (blocked !== null || text.trim() === '') return
    ask({
      session,
      body: beforePrompt(turn, line.turns[0]),
      byKey: true,
      onDone: () => {
        editPrompt(null)
        refill(session, text, images)
      },
    })
  }
  return (
    <div className="relative -mx-1.5 rounded-lg border border-accent bg-surface">
      <PromptField
        focus
        label="Edit prompt"
        session={session}
        value={text}
        placeholder="What should be done instead?"
        onChange={(next) => useEdited.setState({ text: next })}
        onSend={go}
        onEscape={leave}
      />
      <div className="flex flex-wrap items-center justify-end gap-2 px-2 pb-2 text-xs text-muted">
        <span className="min-w-0 flex-1 px-1.5">
          Undoes this turn and those after it, then puts your text in the prompt field.
        </span>
        <Button size="small" onClick={leave}>
          Cancel <Key>esc</Key>
        </Button>
        <Button
          size="small"
          variant="primary"
          unavailable={blocked ?? (text.trim() === '' ? 'Type a prompt.' : undefined)}
          onClick={go}
        >
          Show plan
        </Button>
      </div>
    </div>
  )
}

/** Going back before the first prompt empties the conversation. */
function beforePrompt(turn: TurnView, first: TurnView | undefined): PlanBody {
  const whole = turn.id === first?.id && turn.number === 1 ? { whole: true } : {}
  return { verb: 'rewind', turn: turn.id, before: true, ...whole }
}

/** Replaces the prompt that the undo offered; a draft of the user's own stays below. */
function refill(session: string, text: string, images: readonly DraftImage[]): void {
  const now = draftOf(session)
  const rest = now.offered === null ? now : { text: '', images: [] }
  changeDraft(session, {
    text: [text, rest.text].filter((each) => each !== '').join('\n\n'),
    images: [...images, ...rest.images],
  })
  document.querySelector<HTMLElement>('[data-prompt]')?.focus()
}
