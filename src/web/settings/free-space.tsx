import type { ReactNode } from 'react'
import { InlineCode } from '../plan/inline-code.tsx'

/** Ways to free space, and what each costs. */
export function FreeSpace({ graceDays }: { graceDays: number }) {
  return (
    <section aria-label="Free up space" className="flex flex-col gap-2">
      <h3 className="text-sm font-semibold">Free up space</h3>
      <dl className="flex flex-col gap-2 text-sm">
        <Way name="Clean up">
          deletes contents that no turn and no undoable operation needs. They are set aside first,
          and deleted by a clean-up {String(graceDays)} days later.
        </Way>
        <Way name="Fewer days for operations">
          set below, then clean up: operations that are older can no longer be undone.
        </Way>
        <Way name="`retake forget BRANCH`">
          deletes everything about a branch, including copies of its transcript. At once and for
          good.
        </Way>
        <Way name="`retake purge PATH`">deletes all versions of a file. At once and for good.</Way>
        <Way name="A larger storage limit">
          set below: frees nothing, but lets Retake record new changes.
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
