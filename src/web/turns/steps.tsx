import {
  Bot,
  FilePen,
  FileSearch,
  Globe,
  ListTodo,
  Search,
  Terminal,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import { useState } from 'react'
import type { HunksView, ShowView } from '#protocol'
import { Badge, Lines } from '../ui/badge.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { Chevron } from '../ui/fold-button.tsx'
import { PathText } from '../ui/path-text.tsx'
import { countLines } from './count-lines.ts'
import { FileLines } from './file-lines.tsx'
import { useFromProject } from './project.ts'

export type StepView = Extract<ShowView['moments'][number], { kind: 'step' }>['step']

const ICONS: Record<StepView['kind'], LucideIcon> = {
  shell: Terminal,
  edit: FilePen,
  read: FileSearch,
  search: Search,
  web: Globe,
  plan: ListTodo,
  agent: Bot,
  other: Wrench,
}
const OUTCOMES: Record<StepView['outcome'], string | null> = {
  ok: null,
  error: 'failed',
  denied: 'denied',
  interrupted: 'stopped',
  unfinished: 'unfinished',
}
/** Steps shown at first; the others on demand. */
const SHOWN = 8
/** Characters that fit on one line of a wide page. */
const FITS = 70

interface StepsProps {
  readonly steps: readonly StepView[]
  readonly diffs: readonly HunksView[]
}

export function Steps({ steps, diffs }: StepsProps) {
  const [all, setAll] = useState(false)
  const folded = !all && steps.length > SHOWN + 2
  const shown = folded ? steps.slice(0, SHOWN) : steps
  return (
    <ul className="overflow-hidden rounded-lg border border-line bg-surface">
      {shown.map((step) => (
        <StepLine key={step.id} step={step} diffs={diffs} />
      ))}
      {folded && (
        <li className="border-t border-line">
          <button
            type="button"
            onClick={() => setAll(true)}
            className="w-full px-3 py-1.5 text-left text-xs text-muted hover:bg-hover hover:text-ink"
          >
            Show {steps.length - SHOWN} more steps
          </button>
        </li>
      )}
    </ul>
  )
}

interface StepLineProps {
  readonly step: StepView
  readonly diffs: readonly HunksView[]
}

function StepLine({ step, diffs }: StepLineProps) {
  const [open, setOpen] = useState(false)
  const Icon = ICONS[step.kind]
  const said = OUTCOMES[step.outcome]
  const isFile = step.kind === 'edit' || step.kind === 'read'
  const about = useFromProject(step.about)
  const diff = diffOf(step, diffs)
  const output = step.agent === undefined ? step.said : undefined
  const isCut = !isFile && step.agent === undefined && isLong(step.about)
  const inside =
    diff !== undefined || step.agent !== undefined || output !== undefined || isCut || said !== null
  const line = (
    <>
      <Chevron open={open} className={inside ? 'text-faint' : 'invisible'} />
      <Icon size={14} aria-hidden className="shrink-0 text-muted" />
      <span className="shrink-0 text-xs font-medium">{step.tool}</span>
      <span className="min-w-0 flex-1 truncate text-left font-mono text-xs text-muted">
        {step.agent !== undefined ? (
          step.agent.description
        ) : isFile ? (
          <PathText path={about} />
        ) : (
          about
        )}
      </span>
      {diff !== undefined && <Lines {...countLines(diff)} />}
      {step.agent !== undefined && (
        <span className="text-xs text-muted">{step.agent.steps.length} steps</span>
      )}
      {said !== null && <Badge tone={step.outcome === 'error' ? 'removed' : 'plain'}>{said}</Badge>}
    </>
  )
  const rowClass = 'flex h-7.5 w-full items-center gap-2 px-2.5'
  return (
    <li className="not-first:border-t not-first:border-line">
      {inside ? (
        <button
          type="button"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className={`${rowClass} hover:bg-hover`}
        >
          {line}
        </button>
      ) : (
        <div className={rowClass}>{line}</div>
      )}
      {open && isCut && <Command text={step.about} />}
      {open && diff !== undefined && (
        <div className="border-t border-line bg-sunken">
          <FileLines file={diff} />
        </div>
      )}
      {open && output !== undefined && (
        <pre
          tabIndex={0}
          aria-label="Output"
          className="max-h-72 overflow-auto border-t border-line bg-sunken px-3 py-2 font-mono text-xs whitespace-pre-wrap"
        >
          {output}
        </pre>
      )}
      {open && said !== null && output === undefined && diff === undefined && (
        <p className="border-t border-line bg-sunken px-3 py-2 text-xs text-muted">
          {NO_OUTPUT[step.outcome]}
        </p>
      )}
      {open && step.agent !== undefined && (
        <div className="border-t border-line bg-sunken py-2 pr-2 pl-7">
          {step.agent.steps.length === 0 ? (
            <p className="text-xs text-muted">It called no tools.</p>
          ) : (
            <Steps steps={step.agent.steps} diffs={diffs} />
          )}
        </div>
      )}
    </li>
  )
}

const NO_OUTPUT: Record<StepView['outcome'], string> = {
  ok: '',
  error: 'It failed without output.',
  denied: 'It was denied, so it did not run.',
  interrupted: 'It was stopped before any output.',
  unfinished: 'The transcript has no result for it.',
}

/** A command that does not fit on its line, in full. */
function Command({ text }: { text: string }) {
  return (
    <div className="relative border-t border-line bg-sunken">
      <pre
        tabIndex={0}
        aria-label="Command"
        className="max-h-72 overflow-auto py-2 pr-10 pl-3 font-mono text-xs whitespace-pre-wrap"
      >
        {text}
      </pre>
      <CopyButton text={text} what="command" className="absolute top-1 right-1" />
    </div>
  )
}

function isLong(text: string): boolean {
  return text.length > FITS || text.includes('\n')
}

/** The step's own diff; if it has none, what the turn did to its file. */
function diffOf(step: StepView, diffs: readonly HunksView[]): HunksView | undefined {
  if (step.kind !== 'edit' || step.outcome !== 'ok') return undefined
  const whole = diffs.find(({ path }) => isThatFile(step.about, path))
  if (step.hunks === undefined) return whole
  return { path: whole?.path ?? step.about, hunks: step.hunks }
}

/** Steps have absolute paths, as the agent wrote them; changes have paths from the project. */
function isThatFile(about: string, path: string): boolean {
  return about === path || about.endsWith(`/${path}`)
}
