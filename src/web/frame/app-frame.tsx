import { Link, Outlet, useParams, useSearch } from '@tanstack/react-router'
import { CircleHelp, Menu, Monitor, Moon, Settings, Sun } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useStatus } from '../connection/queries.ts'
import { useConnection } from '../connection/connection.ts'
import { Palette } from '../palette/palette.tsx'
import { prefer, usePreferences } from '../preferences.ts'
import { SessionsPane } from '../sessions/sessions-pane.tsx'
import { isTyping } from '../turns/turn-keys.ts'
import { Button } from '../ui/button.tsx'
import { Tip } from '../ui/tip.tsx'
import { Toasts } from '../ui/toasts.tsx'
import { useKeyDown } from '../ui/use-key-down.ts'
import { bytes } from '../words.ts'
import { Help } from './help.tsx'
import { Logo } from './logo.tsx'
import { SignInNeeded } from './sign-in-needed.tsx'

/** The frame of every page: sessions, connection state, theme, help. */
export function AppFrame() {
  const { session } = useParams({ strict: false })
  const { session: about } = useSearch({ strict: false })
  const { state } = useConnection()
  const [help, setHelp] = useState(false)
  const openHelp = useCallback(() => setHelp(true), [])
  const [menu, setMenu] = useState(false)
  const { singleKeys } = usePreferences()
  useEffect(() => setMenu(false), [session])
  useKeyDown((event) => {
    if (event.key !== '?' || !singleKeys || isTyping(event.target)) return
    if (document.querySelector('dialog[open]') === null) setHelp(true)
  })
  if (state === 'unauthorised') {
    return <SignInNeeded failure={null} />
  }
  return (
    <div className="grid h-full grid-cols-1 grid-rows-[minmax(0,1fr)] min-[900px]:grid-cols-[19rem_minmax(0,1fr)]">
      <nav aria-label="Skip" className="absolute">
        <Skip to="main" label="Skip to the content" />
        {session !== undefined && <Skip to="[data-prompt]" label="Skip to the prompt" />}
      </nav>
      <aside
        className={`z-30 flex min-h-0 flex-col border-r border-line bg-bg max-[899px]:fixed max-[899px]:inset-y-0 max-[899px]:left-0 max-[899px]:w-80 max-[899px]:shadow-high ${menu ? '' : 'max-[899px]:hidden'}`}
      >
        <div className="flex h-13 items-center gap-2 px-4">
          <Link to="/" className="flex items-center gap-2 rounded font-semibold tracking-tight">
            <Logo size={20} />
            Retake
          </Link>
          <span className="flex-1" />
          <ConnectionDot />
        </div>
        <div className="relative min-h-0 flex-1">
          <SessionsPane current={session} />
        </div>
        <div className="flex items-center gap-1 border-t border-line px-3 py-2">
          <ThemeButton />
          <Button
            variant="quiet"
            size="icon"
            aria-label="Keys and help"
            onClick={() => setHelp(true)}
          >
            <CircleHelp size={16} />
          </Button>
          <Link
            to="/settings"
            aria-label="Settings and health"
            className="flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
          >
            <Settings size={16} aria-hidden />
          </Link>
          <span className="flex-1" />
          {session !== undefined && <Kept session={session} />}
          <Palette session={session ?? about} onHelp={openHelp} />
        </div>
      </aside>
      {menu && (
        <button
          type="button"
          aria-label="Close the sessions"
          onClick={() => setMenu(false)}
          className="fixed inset-0 z-20 bg-ink/20 min-[900px]:hidden"
        />
      )}
      <div className="flex min-h-0 min-w-0 flex-col">
        <div className="flex items-center gap-2 border-b border-line px-3 py-1.5 short:py-0 min-[900px]:hidden">
          <Button variant="quiet" size="icon" aria-label="Sessions" onClick={() => setMenu(true)}>
            <Menu size={17} />
          </Button>
          <span className="font-semibold">Retake</span>
          <span className="flex-1" />
          <ConnectionDot />
        </div>
        {state === 'down' && <Offline />}
        <div className="min-h-0 flex-1">
          <Outlet />
        </div>
      </div>
      {help && <Help onClose={() => setHelp(false)} />}
      <Toasts />
    </div>
  )
}

/** The first Tab stop: skips the sessions. */
function Skip({ to, label }: { to: string; label: string }) {
  return (
    <button
      type="button"
      onClick={() => {
        const element = document.querySelector<HTMLElement>(to)
        if (element === null) return
        if (element.tabIndex < 0) element.tabIndex = -1
        element.focus()
      }}
      className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-accent focus:px-3 focus:py-1.5 focus:text-sm focus:text-accent-ink"
    >
      {label}
    </button>
  )
}

/** Size of what Retake keeps on disk. */
function Kept({ session }: { session: string }) {
  const kept = useStatus(session).data?.kept
  if (kept === undefined) return null
  return (
    <Tip
      text={`${bytes(kept.all)} of ${bytes(kept.quota)} for all projects, ${bytes(kept.project)} for this one; clean up in Settings to free space`}
    >
      <span tabIndex={0} className="tabular shrink-0 rounded text-2xs whitespace-nowrap text-muted">
        <span className="sr-only">keeps </span>
        {bytes(kept.all)}
      </span>
    </Tip>
  )
}

function ConnectionDot() {
  const { state } = useConnection()
  const words = { up: 'Connected', connecting: 'Connecting', down: 'Not connected' }
  const tones = { up: 'bg-live', connecting: 'bg-line-strong animate-breathe', down: 'bg-removed' }
  if (state === 'unauthorised') return null
  return (
    <span role="status" className="flex items-center gap-1.5 text-2xs text-muted">
      <span aria-hidden className={`size-2 rounded-full ${tones[state]}`} />
      {words[state]}
    </span>
  )
}

function Offline() {
  return (
    <p role="alert" className="border-b border-warn-line bg-warn-soft px-5 py-2 text-sm">
      <span className="font-medium">Lost connection to Retake.</span> What you see may be out of
      date. Run <code className="font-mono text-xs">retake</code> in a terminal; this page
      reconnects automatically, and keeps what you typed.
    </p>
  )
}

const THEMES = { auto: 'dark', dark: 'light', light: 'auto' } as const
const ICONS = { auto: Monitor, dark: Moon, light: Sun }
const NAMES = { auto: 'System theme', dark: 'Dark theme', light: 'Light theme' }

function ThemeButton() {
  const { theme } = usePreferences()
  const Icon = ICONS[theme]
  return (
    <Button
      variant="quiet"
      size="icon"
      aria-label={NAMES[theme]}
      tip={NAMES[theme]}
      onClick={() => prefer({ theme: THEMES[theme] })}
    >
      <Icon size={16} />
    </Button>
  )
}
