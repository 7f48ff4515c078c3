import { useAgent } from '../connection/agents.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { client } from '../connection/connection.ts'
import { Button } from '../ui/button.tsx'
import { HooksDialog } from './hooks-dialog.tsx'

/** Whether the hooks are installed, and a button to change that. */
export function Hooks() {
  const { name } = useAgent()
  const [act, setAct] = useState<'install' | 'remove' | null>(null)
  const { data } = useQuery({
    queryKey: ['hooks', 'install'],
    queryFn: () => client().installHooks({ dryRun: true }),
    staleTime: 0,
    retry: false,
  })
  const isIn = data?.change === 'unchanged'
  return (
    <div className="flex flex-wrap items-center gap-3 rounded-lg border border-line bg-surface px-3 py-2 text-sm">
      <span className="min-w-60 flex-1">
        {data === undefined
          ? 'Reading…'
          : data.plugin
            ? `The Retake plugin of ${name} includes the hooks.`
            : isIn
              ? 'Installed: undo covers what shell commands change.'
              : 'Not installed: undo can’t see file changes made by shell commands.'}
      </span>
      {data !== undefined && !data.plugin && (
        <Button size="small" onClick={() => setAct(isIn ? 'remove' : 'install')}>
          {isIn ? 'Remove hooks…' : 'Install hooks…'}
        </Button>
      )}
      {act !== null && <HooksDialog act={act} onClose={() => setAct(null)} />}
    </div>
  )
}
