import type { ReactNode } from 'react'
import { diffTexts, type Approval } from '#timeline'
import { Diff } from '../turns/diff.tsx'
import { useFromProject } from '../turns/project.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { PathText } from '../ui/path-text.tsx'

/** What the agent asks to do: the diff of an edit, the whole command, else the raw input. */
export function ApprovalInput({ approval }: { approval: Approval }) {
  const { kind, about, input, command, hunks, pieces } = approval
  const path = useFromProject(about)
  if (kind === 'shell') return <Block label="Command" text={command ?? about} />
  const edits =
    kind !== 'edit'
      ? null
      : hunks === undefined
        ? (pieces ?? []).map((piece) => diffTexts(piece.old ?? '', piece.new))
        : [[...hunks]]
  if (edits !== null)
    return (
      <Frame title={<PathText path={path} />}>
        {hunks === undefined && pieces?.some(({ old }) => old === null) === true && (
          <p className="px-3 py-1 text-xs text-muted">
            This is all it writes. Lines that it replaces are not shown.
          </p>
        )}
        {edits.length === 0 ? (
          <p className="px-3 py-2 text-xs text-muted">Not shown: the file may contain secrets.</p>
        ) : (
          edits.map((hunks, at) => <Diff key={at} file={{ path, hunks }} />)
        )}
      </Frame>
    )
  const rest = typeof input === 'object' && input !== null ? JSON.stringify(input, null, 2) : ''
  return <Block label="Request" text={rest === '' || rest === '{}' ? about : rest} />
}

function Frame({ title, children }: { title: ReactNode; children: ReactNode }) {
  return (
    <div className="mt-2 overflow-hidden rounded-md border border-line bg-surface">
      <div className="border-b border-line px-3 py-1 text-xs">{title}</div>
      <div className="max-h-[min(40vh,20rem)] overflow-auto">{children}</div>
    </div>
  )
}

function Block({ label, text: shown }: { label: string; text: string }) {
  if (shown === '') return null
  return (
    <div className="relative mt-2 rounded-md border border-line bg-surface">
      <pre
        tabIndex={0}
        aria-label={label}
        className="max-h-[min(40vh,20rem)] overflow-auto py-2 pr-10 pl-3 font-mono text-xs whitespace-pre-wrap"
      >
        {shown}
      </pre>
      <CopyButton
        text={shown}
        what={label.toLowerCase()}
        className="absolute top-1 right-1 bg-surface"
      />
    </div>
  )
}
