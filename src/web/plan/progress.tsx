import { LoaderCircle } from 'lucide-react'
import { create } from 'zustand'
import { wordsForProgress, type EventView } from '#protocol'

type ProgressEvent = Extract<EventView, { event: 'operation.progress' }>

/** Progress of the plan being applied, from the server's events. */
const useProgress = create<{ last: ProgressEvent | null }>(() => ({ last: null }))

export function receiveProgress(last: ProgressEvent): void {
  useProgress.setState({ last })
}

/** Shows "Working …" until the first progress event; most plans finish before it. */
export function ProgressLine({ plan, cancelling }: { plan: string; cancelling: boolean }) {
  const progress = useProgress(({ last }) => (last?.plan === plan ? last : null))
  const words = cancelling
    ? 'Rolling back …'
    : progress === null
      ? 'Working …'
      : wordsForProgress(progress)
  return (
    <div role="status" className="rounded-lg border border-accent-line bg-accent-soft p-3 text-sm">
      <p className="flex items-center gap-2">
        <LoaderCircle size={14} aria-hidden className="animate-spin text-accent" />
        <span className="tabular">{words}</span>
      </p>
      {progress !== null && progress.total > 0 && (
        <progress
          aria-label="Files"
          value={progress.done}
          max={progress.total}
          className="mt-2 block h-1 w-full accent-accent"
        />
      )}
    </div>
  )
}

/** From here on the plan can no longer be cancelled. */
export function useIsFinishing(plan: string | undefined): boolean {
  return useProgress(({ last }) => last?.plan === plan && last?.phase === 'finishing')
}
