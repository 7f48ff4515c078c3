import { useNavigate } from '@tanstack/react-router'
import {
  CircleHelp,
  House,
  ListRestart,
  Monitor,
  Moon,
  Redo2,
  RotateCcwSquare,
  Settings,
  ShieldQuestion,
  Sun,
  Undo2,
  type LucideIcon,
} from 'lucide-react'
import { useMemo } from 'react'
import { ask } from '../plan/planning.ts'
import { prefer } from '../preferences.ts'
import { useViews } from '../time/views.ts'
import type { Option } from './option.ts'

interface Action {
  readonly label: string
  readonly icon: LucideIcon
  readonly shortcut?: string
  readonly run: () => void
}

/** What can be done from here, with its keys. Actions that move a session show their plan first. */
export function useActions(
  session: string | undefined,
  words: string,
  onHelp: () => void,
): readonly Option[] {
  const navigate = useNavigate()
  const views = useViews(session ?? '')
  const actions = useMemo((): Action[] => {
    const inSession: Action[] =
      session === undefined
        ? []
        : [
            {
              label: 'Undo the last turn',
              icon: Undo2,
              shortcut: 'u',
              run: () => ask({ session, body: { verb: 'undo' }, byKey: true }),
            },
            {
              label: 'Redo the next turn',
              icon: Redo2,
              shortcut: 'r',
              run: () => ask({ session, body: { verb: 'redo' }, byKey: true }),
            },
            {
              label: 'Redo all undone turns',
              icon: ListRestart,
              shortcut: 'R',
              run: () => ask({ session, body: { verb: 'redo', all: true }, byKey: true }),
            },
            ...views.map(({ says, icon, shortcut, open }) => ({
              label: says,
              icon,
              shortcut,
              run: open,
            })),
          ]
    return [
      ...inSession,
      {
        label: 'Operations in all projects',
        icon: RotateCcwSquare,
        run: () => void navigate({ to: '/operations', search: {} }),
      },
      { label: 'All sessions', icon: House, run: () => void navigate({ to: '/' }) },
      {
        label: 'Settings and health',
        icon: Settings,
        run: () => void navigate({ to: '/settings' }),
      },
      {
        label: 'What Retake cannot undo',
        icon: ShieldQuestion,
        run: () => void navigate({ to: '/limits' }),
      },
      { label: 'Light theme', icon: Sun, run: () => prefer({ theme: 'light' }) },
      { label: 'Dark theme', icon: Moon, run: () => prefer({ theme: 'dark' }) },
      { label: 'System theme', icon: Monitor, run: () => prefer({ theme: 'auto' }) },
      { label: 'Keys and preferences', icon: CircleHelp, shortcut: '?', run: onHelp },
    ]
  }, [session, views, navigate, onHelp])
  return useMemo(() => {
    const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
    return actions
      .filter(({ label }) => wanted.every((word) => label.toLowerCase().includes(word)))
      .map((action): Option => ({ ...action, id: action.label, group: 'Do' }))
  }, [actions, words])
}
