import { Link } from '@tanstack/react-router'
import { ShieldQuestion } from 'lucide-react'
import type { ReactNode } from 'react'
import { Figures } from './figures.tsx'
import { Health } from './health.tsx'
import { Hooks } from './hooks.tsx'
import { PagePreferences } from './page-preferences.tsx'
import { SettingsForm } from './settings-form.tsx'
import { SignedIn } from './signed-in.tsx'
import { Storage } from './storage.tsx'

/** Health, storage and settings of Retake on this machine. */
export function SettingsPage() {
  return (
    <main className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-3xl flex-col gap-8 p-6 pb-16">
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="flex-1 text-xl font-semibold tracking-tight">Settings and health</h1>
          <Link
            to="/limits"
            className="flex items-center gap-1.5 rounded text-sm text-accent underline underline-offset-2"
          >
            <ShieldQuestion size={15} aria-hidden />
            What Retake cannot undo
          </Link>
        </div>
        <Part title="Health">
          <Health />
        </Part>
        <Part title="Hooks">
          <Hooks />
        </Part>
        <Part title="Storage">
          <Storage />
        </Part>
        <Part title="Recording and storage">
          <SettingsForm />
        </Part>
        <Part title="This page">
          <div className="rounded-lg border border-line bg-surface p-3">
            <PagePreferences />
          </div>
        </Part>
        <Part title="Signed-in browsers">
          <SignedIn />
        </Part>
        <Part title="Usage">
          <Figures />
        </Part>
      </div>
    </main>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="text-base font-semibold">{title}</h2>
      {children}
    </section>
  )
}
