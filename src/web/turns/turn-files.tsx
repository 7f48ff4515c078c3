import { FileDiff, GitCommitHorizontal, Terminal, TriangleAlert } from 'lucide-react'
import type { HunksView } from '#protocol'
import { Badge, Lines } from '../ui/badge.tsx'
import { FileRow, fileListStyle } from '../ui/file-row.tsx'
import { FoldButton } from '../ui/fold-button.tsx'
import { Tip } from '../ui/tip.tsx'
import { count } from '../words.ts'
import { FileLines } from './file-lines.tsx'
import type { TurnView } from './read-line.ts'

type FileView = TurnView['files'][number]

const BY: Partial<Record<FileView['by'], string>> = {
  shell: 'by a command',
  subagent: 'by a subagent',
  user: 'by you',
  'other-session': 'by another session',
  git: 'by git',
  operation: 'by Retake',
  shared: 'by several at once',
  unsure: 'author unsure',
}
export const CHANGES: Partial<Record<FileView['change'], string>> = {
  created: 'new',
  deleted: 'deleted',
  renamed: 'renamed',
  mode: 'mode',
}

interface TurnFilesProps {
  readonly turn: TurnView
  readonly diffs: readonly HunksView[]
  readonly open: boolean
  readonly onToggle: () => void
}

/** A turn's file changes: one line, and each file's diff on demand. */
export function TurnFiles({ turn, diffs, open, onToggle }: TurnFilesProps) {
  const { files, commands, git } = turn
  if (files.length === 0 && commands.length === 0 && git.length === 0) return null
  const added = files.reduce((sum, file) => sum + file.added, 0)
  const removed = files.reduce((sum, file) => sum + file.removed, 0)
  return (
    <div className="text-xs">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {files.length > 0 && (
          <FoldButton open={open} onToggle={onToggle}>
            <FileDiff size={13} aria-hidden />
            <span className="font-medium">{count(files.length, 'file')}</span>
            <Lines added={added} removed={removed} />
          </FoldButton>
        )}
        <Coverage turn={turn} />
        {git.map(({ did, undo }) => (
          <Tip
            key={did}
            text={`Retake never changes git. ${undo === '' ? 'The stash no longer exists.' : `\`${undo}\` would undo it.`}`}
          >
            <button type="button" className="flex items-center gap-1.5 rounded-md text-muted">
              <GitCommitHorizontal size={13} aria-hidden />
              <span className="font-mono">{did}</span>
            </button>
          </Tip>
        ))}
      </div>
      {open && (
        <ul className={`mt-1.5 bg-surface ${fileListStyle}`}>
          {files.map((file) => (
            <FileLine
              key={file.path}
              file={file}
              diff={diffs.find(({ path }) => path === file.path)}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

function FileLine({ file, diff }: { file: FileView; diff: HunksView | undefined }) {
  const by = BY[file.by]
  const change = CHANGES[file.change]
  return (
    <FileRow
      path={file.path}
      notes={
        <>
          {change !== undefined && <Badge>{change}</Badge>}
          {by !== undefined && <span className="shrink-0 text-muted">{by}</span>}
        </>
      }
      lines={file}
    >
      {() =>
        diff === undefined ? (
          <p className="px-3 py-2 text-xs text-muted">
            Its edits were not recorded; the diff compares the file before and after.
          </p>
        ) : (
          <FileLines file={diff} />
        )
      }
    </FileRow>
  )
}

/** Commands whose file changes are unknown. Shown only if there are any. */
function Coverage({ turn: { commands } }: { turn: TurnView }) {
  if (commands.length === 0) return null
  return (
    <Tip
      text={
        <span>
          {commands.slice(0, 4).map((command) => (
            <code key={command} className="block truncate font-mono">
              {command}
            </code>
          ))}
          What {commands.length === 1 ? 'it' : 'they'} did to files is not known: hooks were not
          installed.
        </span>
      }
    >
      <button type="button" className="flex items-center gap-1.5 rounded-md text-warn">
        <TriangleAlert size={13} aria-hidden />
        <Terminal size={13} aria-hidden />
        {count(commands.length, 'untracked command')}
      </button>
    </Tip>
  )
}
