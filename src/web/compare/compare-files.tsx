import { FileDown } from 'lucide-react'
import { useState } from 'react'
import type { CompareView } from '#protocol'
import { useIsUp } from '../connection/connection.ts'
import { ask } from '../plan/planning.ts'
import { FileFolds } from '../time/file-folds.tsx'
import type { Unhiding } from '../turns/file-lines.tsx'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/choice.tsx'
import { count } from '../words.ts'
import { SplitDiff } from './split-diff.tsx'

interface CompareFilesProps {
  readonly view: CompareView
  readonly names: readonly [string, string]
  readonly unhiding: Unhiding
}

const LAYOUTS = { split: 'Side by side', joined: 'Unified' } as const

/** The files that differ, with buttons to take each from either side. */
export function CompareFiles({ view, names, unhiding }: CompareFilesProps) {
  const [layout, setLayout] = useState<keyof typeof LAYOUTS>('split')
  const isUp = useIsUp()
  const { files, sides } = view
  const byPath = new Map(files.map((file) => [file.path, file]))
  const take = (path: string, at: 0 | 1) => {
    const { session, tip } = sides[at]
    return (
      <Button
        key={at}
        size="small"
        unavailable={isUp ? undefined : 'Retake is not connected.'}
        onClick={() =>
          ask({ session, body: { verb: 'restore', files: [path], at: tip === null ? 0 : tip } })
        }
      >
        <FileDown size={13} aria-hidden />
        Restore this file from {names[at]}
      </Button>
    )
  }
  return (
    <section aria-label="Files" className="flex flex-col gap-2.5">
      <div className="flex flex-wrap items-center gap-3">
        <h2 className="flex-1 text-sm font-semibold">
          {files.length === 0
            ? 'No file that their turns changed differs'
            : `${count(files.length, 'file')} differ${files.length === 1 ? 's' : ''}`}
        </h2>
        {files.length > 0 && (
          <Choice legend="How lines are shown" of={LAYOUTS} value={layout} onChange={setLayout} />
        )}
      </div>
      {files.length > 0 && (
        <FileFolds
          files={files}
          unhiding={unhiding}
          note={(path) => changedBy(byPath.get(path)?.changedBy, names)}
          actions={(path) => [take(path, 0), take(path, 1)]}
          {...(layout === 'split' ? { show: SplitDiff } : {})}
        />
      )}
    </section>
  )
}

function changedBy(
  by: CompareView['files'][number]['changedBy'] | undefined,
  names: readonly [string, string],
): string | null {
  if (by === undefined) return null
  return by === 'both' ? 'both changed it' : `${names[by === 'first' ? 0 : 1]} changed it`
}
