import { BrainCircuit, ChevronRight, CornerDownRight, Scissors, TriangleAlert } from 'lucide-react'
import { memo, useMemo } from 'react'
import type { ShowView } from '#protocol'
import { Markdown } from './markdown.tsx'
import { Steps, type StepView } from './steps.tsx'

type Moment = ShowView['moments'][number]
type Block =
  | { readonly kind: 'moment'; readonly moment: Exclude<Moment, { kind: 'step' }> }
  | { readonly kind: 'steps'; readonly steps: StepView[] }

/** What was said and done in a turn, in order; consecutive steps form one list. */
export const TurnBody = memo(function TurnBody({ show }: { show: ShowView }) {
  const blocks = useMemo(() => group(show.moments), [show.moments])
  return (
    <div className="flex flex-col gap-2.5">
      {blocks.map((block, at) =>
        block.kind === 'steps' ? (
          <Steps key={at} steps={block.steps} diffs={show.diffs} />
        ) : (
          <MomentLine key={at} moment={block.moment} />
        ),
      )}
    </div>
  )
})

function group(moments: readonly Moment[]): Block[] {
  const blocks: Block[] = []
  for (const moment of moments) {
    const last = blocks.at(-1)
    if (moment.kind !== 'step') blocks.push({ kind: 'moment', moment })
    else if (last?.kind === 'steps') last.steps.push(moment.step)
    else blocks.push({ kind: 'steps', steps: [moment.step] })
  }
  return blocks
}

function MomentLine({ moment }: { moment: Exclude<Moment, { kind: 'step' }> }) {
  switch (moment.kind) {
    case 'said':
      return <Markdown text={moment.text} />
    case 'thought':
      return (
        <details className="group/thought text-sm">
          <summary className="inline-flex list-none items-center gap-1.5 rounded text-xs text-muted hover:text-ink">
            <ChevronRight
              size={13}
              aria-hidden
              className="transition-transform group-open/thought:rotate-90"
            />
            <BrainCircuit size={13} aria-hidden />
            Thought
          </summary>
          <div className="mt-1.5 border-l-2 border-line pl-3 text-muted">
            <Markdown text={moment.text} />
          </div>
        </details>
      )
    case 'absorbed':
      return (
        <div className="flex gap-2 rounded-md border border-line bg-sunken px-3 py-2 text-sm">
          <CornerDownRight size={15} aria-hidden className="mt-0.5 shrink-0 text-muted" />
          <div>
            <p className="text-xs text-muted">You added while it worked</p>
            {moment.text}
          </div>
        </div>
      )
    case 'interrupted':
      return <p className="text-xs text-muted">You stopped it here.</p>
    case 'compacted':
      return (
        <p className="flex items-center gap-2 text-xs text-muted">
          <Scissors size={13} aria-hidden />
          Context was compacted{moment.trigger === 'auto' ? ' automatically' : ''}
        </p>
      )
    case 'unreadable':
      return (
        <p className="flex items-center gap-2 text-xs text-warn">
          <TriangleAlert size={13} aria-hidden />A part of the transcript cannot be read:{' '}
          {moment.why}
        </p>
      )
  }
}
