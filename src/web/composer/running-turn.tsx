import { LoaderCircle } from 'lucide-react'
import type { Line } from '../turns/read-line.ts'
import { Markdown } from '../turns/markdown.tsx'
import { Badge } from '../ui/badge.tsx'
import type { Block } from './fold-run.ts'
import { ImageStrip } from './image-strip.tsx'
import type { RunView } from './run.ts'

/** The running turn, as it streams in. */
export function RunningTurn({ run, line }: { run: RunView; line: Line }) {
  if (run.prompt === null) return null
  return (
    <article
      aria-label="The turn that is running"
      aria-busy={run.state !== 'idle'}
      className="mx-auto flex max-w-3xl gap-3 px-5 pt-3 pb-4"
    >
      <div aria-hidden className="relative w-3 shrink-0">
        <span className="absolute top-4 left-1/2 size-2.5 -translate-x-1/2 animate-breathe rounded-full bg-accent" />
      </div>
      <div className="min-w-0 flex-1">
        <div className="rounded-lg border border-accent-line bg-surface px-3.5 py-2.5 shadow-low">
          <p className="mb-1 flex items-center gap-2 text-xs text-muted">
            <span className="tabular font-medium">{line.here + 2}</span> You
          </p>
          <p
            dir="auto"
            className="text-base leading-relaxed font-medium break-words whitespace-pre-wrap"
          >
            {run.prompt}
          </p>
          <ImageStrip images={run.images} className="mt-2" />
        </div>
        <div className="flex flex-col gap-2.5 px-0.5 pt-3">
          {run.blocks.map((block, at) => (
            <BlockLine key={at} block={block} />
          ))}
          {run.state !== 'idle' && (
            <p role="status" className="flex items-center gap-2 text-xs text-muted">
              <LoaderCircle size={13} aria-hidden className="animate-spin" />
              {run.state === 'stopping'
                ? 'Stopping…'
                : run.approvals.length > 0
                  ? 'Waiting for your answer'
                  : doing(run.blocks)}
            </p>
          )}
        </div>
      </div>
    </article>
  )
}

function doing(blocks: readonly Block[]): string {
  const last = blocks.at(-1)
  if (last?.kind === 'tool' && last.result === null) return `${last.tool} ${last.about}`
  return last?.kind === 'thinking' ? 'Thinking…' : 'Working…'
}

function BlockLine({ block }: { block: Block }) {
  switch (block.kind) {
    case 'text':
      return <Markdown text={block.text} />
    case 'thinking':
      return (
        <details className="text-sm text-muted">
          <summary className="w-fit text-xs">Thought</summary>
          <div className="mt-1 border-l-2 border-line pl-3">
            <Markdown text={block.text} />
          </div>
        </details>
      )
    case 'tool':
      return (
        <details className="rounded-lg border border-line bg-surface text-xs">
          <summary className="flex h-7.5 list-none items-center gap-2 px-2.5">
            <span className="font-medium">{block.tool}</span>
            <span className="min-w-0 flex-1 truncate font-mono text-muted">{block.about}</span>
            {block.result?.ok === false && <Badge tone="removed">failed</Badge>}
          </summary>
          {block.result !== null && block.result.text !== '' && (
            <pre className="max-h-60 overflow-auto border-t border-line bg-sunken px-3 py-2 font-mono whitespace-pre-wrap">
              {block.result.text}
            </pre>
          )}
        </details>
      )
    case 'said':
      return (
        <p className={`text-sm ${block.tone === 'error' ? 'text-removed' : 'text-muted'}`}>
          {block.text}
        </p>
      )
  }
}
