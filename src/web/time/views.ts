import { useNavigate } from '@tanstack/react-router'
import {
  FileClock,
  Flag,
  GitCompareArrows,
  History,
  RotateCcwSquare,
  Workflow,
  type LucideIcon,
} from 'lucide-react'
import { useMemo } from 'react'

/** A view of a session besides its turns. */
export interface View {
  readonly label: string
  /** A label that is clear without context. */
  readonly says: string
  readonly icon: LucideIcon
  readonly shortcut: string
  readonly open: () => void
}

export function useViews(session: string): readonly View[] {
  const navigate = useNavigate()
  return useMemo(() => {
    const search = { session }
    return [
      {
        label: 'Graph',
        says: 'Graph of all branches',
        icon: Workflow,
        shortcut: 'g',
        open: () => void navigate({ to: '/graph', search }),
      },
      {
        label: 'Compare',
        says: 'Compare branches and turns',
        icon: GitCompareArrows,
        shortcut: 'x',
        open: () => void navigate({ to: '/compare', search }),
      },
      {
        label: 'Files through time',
        says: 'Files through time',
        icon: FileClock,
        shortcut: 't',
        open: () => void navigate({ to: '/files', search }),
      },
      {
        label: 'Checkpoints',
        says: 'Checkpoints: named turns',
        icon: Flag,
        shortcut: 'C',
        open: () => void navigate({ to: '/checkpoints', search }),
      },
      {
        label: 'Stash',
        says: 'Stash: turns that undo left behind',
        icon: History,
        shortcut: 's',
        open: () => void navigate({ to: '/stash', search }),
      },
      {
        label: 'Operations',
        says: 'Operations in this project',
        icon: RotateCcwSquare,
        shortcut: 'o',
        open: () => void navigate({ to: '/operations', search }),
      },
    ]
  }, [navigate, session])
}
