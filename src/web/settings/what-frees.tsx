import type { ReactNode } from 'react'
import { InlineCode } from '../plan/inline-code.tsx'

/** Where room can be made, and what is paid for it. */
export function WhatFrees({ graceDays }: { graceDays: number }) {
  return (
    <section aria-label="Free up space" className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">Free up space</h3>
      <dl className="flex flex-col gap-2 text-sm">
        <Way name="Clean up">
          what no turn needs any more, and no operation that can still be undone. It is put aside
          first, and deleted by a clean-up {String(graceDays)} days later.
        </Way>
        <Way name="Fewer days for operations">
          set below, then clean up: operations that are older can no longer be undone.
        </Way>
        <Way name="`retake forget BRANCH`">
          everything of a branch, also of the copies of its transcript. At once and for good.
        </Way>
        <Way name="`retake purge PATH`">
          every content that a file ever had. At once and for good.
        </Way>
        <Way name="A larger budget">
          set below: frees nothing, and lets Retake go on keeping what is new.
        </Way>
      </dl>
    </section>
  )
}

function Way({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex gap-x-3 max-sm:flex-col">
      <dt className="w-52 shrink-0">
        <InlineCode text={name} />
      </dt>
      <dd className="min-w-0 flex-1 text-muted">{children}</dd>
    </div>
  )
}
