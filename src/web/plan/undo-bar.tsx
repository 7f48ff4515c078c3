import { FileDiff, Redo2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { StatusView } from '#protocol'
import { effectOf, undoneTurns } from '../turns/read-line.ts'
import type { TurnContext } from '../turns/turn-context.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Key } from '../ui/key.tsx'
import { brief, count } from '../words.ts'
import { ask } from './planning.ts'

/** Says how many turns are undone, with buttons to redo them. */
export function UndoBar({
  context,
  status,
}: {
  context: TurnContext
  status: StatusView | undefined
}) {
  const [open, setOpen] = useState(false)
  const { session, line, blocked } = context
  const undone = undoneTurns(line)
  if (undone.length === 0) return null
  const { files } = effectOf(undone.filter(({ filesState }) => filesState !== 'in'))
  const stillIn = undone.some(
    ({ filesState, files: list }) => filesState === 'in' && list.length > 0,
  )
  return (
    <section
      aria-label="Undone turns"
      data-undone
      className="mx-auto mb-2 flex w-[calc(100%-2.5rem)] max-w-3xl animate-appear flex-wrap items-center gap-x-3 gap-y-2 rounded-xl border border-dashed border-line-strong bg-surface px-3.5 py-2.5 shadow-high short:mb-1 short:py-1"
    >
      <Undo2 size={16} aria-hidden className="text-accent" />
      <p className="min-w-0 flex-1 basis-40 text-sm">
        <span className="font-medium">{count(undone.length, 'turn')} undone</span>
        <span className="text-muted">
          {files > 0 && ` · ${count(files, 'file')} restored`}
          {stillIn && ' · file changes kept'}
        </span>
      </p>
      <Button size="small" variant="quiet" onClick={() => setOpen(true)}>
        <FileDiff size={13} aria-hidden />
        Show changes
      </Button>
      <Button
        size="small"
        unavailable={blocked ?? undefined}
        onClick={() => ask({ session, body: { verb: 'redo' } })}
      >
        <Redo2 size={13} aria-hidden />
        Redo next <Key>r</Key>
      </Button>
      {undone.length > 1 && (
        <Button
          size="small"
          unavailable={blocked ?? undefined}
          onClick={() => ask({ session, body: { verb: 'redo', all: true } })}
        >
          Redo all <Key>shift R</Key>
        </Button>
      )}
      {open && (
        <Dialog title={count(undone.length, 'undone turn')} onClose={() => setOpen(false)}>
          <ol className="flex flex-col gap-3">
            {undone.map((turn) => (
              <li key={turn.id} className="text-sm">
                <p className="font-medium">
                  <span className="tabular text-muted">{turn.number}</span> {brief(turn.prompt, 90)}
                </p>
                <ul className="mt-1 pl-5 font-mono text-xs text-muted">
                  {turn.files.map((file) => (
                    <li key={file.path}>
                      {file.path} <span className="text-added">+{file.added}</span>{' '}
                      <span className="text-removed">−{file.removed}</span>
                    </li>
                  ))}
                  {turn.files.length === 0 && <li className="font-sans">changed no files</li>}
                </ul>
              </li>
            ))}
          </ol>
          {status?.coverage === 'recorded-edits' && (
            <p className="mt-4 text-xs text-muted">
              Changes by commands are not listed: hooks were not installed.
            </p>
          )}
        </Dialog>
      )}
    </section>
  )
}
