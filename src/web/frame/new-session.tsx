import { useAgent } from '../connection/agents.ts'
import { useMutation } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { ArrowUp, LoaderCircle } from 'lucide-react'
import { useState } from 'react'
import { AttachImages } from '../composer/attach-images.tsx'
import { changeDraft, clearDraft, useDraft } from '../composer/draft.ts'
import { ImageStrip } from '../composer/image-strip.tsx'
import { PromptField } from '../composer/prompt-field.tsx'
import { chooseRunOptions, RunOptionFields, runOptionsOf } from '../composer/run-options.tsx'
import { startSession } from '../composer/run.ts'
import { addImages, useDroppedFiles } from '../composer/use-images.ts'
import { useSend } from './use-send.ts'
import { failureFrom, useIsUp } from '../connection/connection.ts'
import { useProjects, useSessions } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { Button } from '../ui/button.tsx'
import { directoryName } from '../words.ts'

const route = getRouteApi('/new')

/** The draft is stored under this id until the session has one of its own. */
const NEW = 'new'

/** Asks for a project and a first prompt. Opens the session once the agent has the prompt. */
export function NewSession() {
  const { name } = useAgent()
  const { project: asked } = route.useSearch()
  const { data, isPending: isLoading } = useProjects()
  const projects = data?.projects ?? []
  const [chosen, setChosen] = useState<string | null>(null)
  const project = projects.find(({ id }) => id === (chosen ?? asked)) ?? projects[0]
  const { text: prompt, images } = useDraft(NEW)
  useDroppedFiles((dropped) => void addImages(NEW, dropped))
  // The server lists a project's files by one of its sessions.
  const sessions = useSessions().data?.sessions ?? []
  const beside = sessions.find((session) => session.project === project?.path)?.id
  const isUp = useIsUp()
  const navigate = useNavigate()
  const { mutate, isPending, error } = useMutation({
    mutationFn: (id: string) => startSession(id, prompt, { images, ...runOptionsOf(NEW) }),
    onSuccess(session) {
      clearDraft(NEW)
      chooseRunOptions(NEW, {})
      void navigate({ to: '/s/$session', params: { session } })
    },
  })
  const isEmpty = prompt.trim() === '' && images.length === 0
  const why = !isUp
    ? 'Retake is not connected.'
    : isPending
      ? 'The agent is starting.'
      : project === undefined
        ? 'There is no project yet. Start a session in a terminal first.'
        : isEmpty
          ? 'Type a prompt.'
          : undefined
  const act = (): void => mutate(project!.id)
  const { send, isHeld, cancel } = useSend({ isEarly: isLoading, isEmpty, why, act })
  return (
    <main className="h-full overflow-y-auto">
      <div className="mx-auto max-w-2xl animate-appear px-6 py-14">
        <h1 className="text-xl font-semibold tracking-tight">New session</h1>
        <p className="mt-1 text-muted">
          {name} works in the project you choose. Before it changes a file or runs a command it asks
          here.
        </p>
        {error !== null && (
          <div className="mt-5">
            <Failed failure={failureFrom(error)} onRetry={send} />
          </div>
        )}
        <label className="mt-6 flex items-center gap-3 text-sm text-muted">
          Project
          <select
            value={project?.id ?? ''}
            onChange={(event) => setChosen(event.target.value)}
            className="h-8 min-w-0 flex-1 rounded-md border border-line-strong bg-surface px-2 text-ink"
          >
            {projects.map(({ id, path }) => (
              <option key={id} value={id}>
                {directoryName(path)} — {path}
              </option>
            ))}
          </select>
        </label>
        <div className="relative mt-3 rounded-xl border border-line-strong bg-surface shadow-low focus-within:border-accent">
          <ImageStrip
            images={images}
            className="px-3.5 pt-3"
            onRemove={(at) => changeDraft(NEW, { images: images.toSpliced(at, 1) })}
          />
          <PromptField
            focus
            rows={3}
            listFiles="below"
            {...(beside === undefined ? {} : { session: beside })}
            value={prompt}
            placeholder="What should be done?"
            onChange={(text) => {
              cancel()
              changeDraft(NEW, { text })
            }}
            onEscape={cancel}
            onPasteFiles={(pasted) => void addImages(NEW, pasted)}
            onSend={send}
          />
          <div className="flex min-h-9 flex-wrap items-center justify-end gap-2 pr-1.5 pb-1.5 pl-3.5">
            <p role="status" className="flex min-w-0 flex-1 items-center gap-2 text-xs text-muted">
              {(isPending || isHeld) && (
                <>
                  <LoaderCircle size={13} aria-hidden className="animate-spin" />
                  {isHeld ? 'Loading projects. Your prompt is sent after that.' : 'Starting…'}
                </>
              )}
            </p>
            <RunOptionFields session={NEW} status={undefined} isNew />
            <AttachImages session={NEW} />
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
    </main>
  )
}
