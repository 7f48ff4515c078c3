import { Undo2 } from 'lucide-react'
import { useCallback, useState } from 'react'
import { wordsForSpan, type FileAtView, type HunksView } from '#protocol'
import { useIsUp } from '../connection/connection.ts'
import { ask } from '../plan/planning.ts'
import { Diff } from '../turns/diff.tsx'
import { Button } from '../ui/button.tsx'
import { count } from '../words.ts'

interface PartDiffProps {
  readonly session: string
  /** `0` is before the first turn. */
  readonly turn: string
  readonly file: HunksView
  readonly parts: FileAtView['parts']
  /** Why nothing can be restored from this moment. */
  readonly unavailable: string | undefined
}

/** The diff from then to now; the user can choose parts of it to restore without the rest. */
export function PartDiff({ session, turn, file, parts, unavailable }: PartDiffProps) {
  const isUp = useIsUp()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  // A part that was edited since has another key, so it is no longer chosen.
  const taken = parts.filter(({ key }) => chosen.has(key)).map(({ key }) => key)
  const before = useCallback(
    (run: number) => {
      const part = parts[run]
      if (part === undefined) return null
      const toggle = (): void =>
        setChosen((old) => {
          const next = new Set(old)
          if (!next.delete(part.key)) next.add(part.key)
          return next
        })
      return (
        <label className="sticky left-0 flex w-fit cursor-pointer items-center gap-2 px-3 pt-1.5 pb-0.5 font-sans text-xs">
          <input
            type="checkbox"
            checked={chosen.has(part.key)}
            onChange={toggle}
            className="accent-accent"
          />
          <span>
            <span className="font-medium">
              Part {run + 1} of {parts.length}
            </span>
            <span className="text-muted">
              : then {wordsForSpan(part.old)}, now {wordsForSpan(part.now)}
            </span>
          </span>
        </label>
      )
    },
    [parts, chosen],
  )
  const colours = 'Red: then. Green: now.'
  if (parts.length === 0)
    return (
      <>
        <p className="px-5 pt-2 text-xs text-muted">{colours}</p>
        <Diff file={file} />
      </>
    )
  return (
    <>
      <div className="sticky top-0 z-10 flex flex-wrap items-center gap-2 border-b border-line bg-surface px-5 py-1.5 text-xs text-muted">
        <span className="flex-1">
          {colours} Choose parts to restore. Everything else in the file stays.
        </span>
        <Button
          size="small"
          unavailable={
            unavailable ??
            (isUp
              ? taken.length === 0
                ? 'Choose a part first.'
                : undefined
              : 'Retake is not connected.')
          }
          onClick={() =>
            ask({
              session,
              body: { verb: 'restore', files: [file.path], at: turn, parts: taken },
            })
          }
        >
          <Undo2 size={13} aria-hidden />
          {taken.length === 0 ? 'Restore parts…' : `Restore ${count(taken.length, 'part')}…`}
        </Button>
      </div>
      <Diff file={file} before={before} />
    </>
  )
}
