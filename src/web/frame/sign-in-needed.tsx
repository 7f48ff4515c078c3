import type { Failure } from '#failure'
import { CopyButton } from '../ui/copy-button.tsx'
import { Logo } from './logo.tsx'

/** Shown without a token. Says how to sign in. */
export function SignInNeeded({ failure }: { failure: Failure | null }) {
  return (
    <main className="flex h-full items-center justify-center p-6">
      <div className="max-w-md animate-appear text-center">
        <div className="mb-5 flex justify-center">
          <Logo size={44} />
        </div>
        <h1 className="text-xl font-semibold tracking-tight">
          {failure === null ? 'Open Retake from a terminal' : 'This link has expired'}
        </h1>
        <p className="mt-3 text-muted">
          {failure === null
            ? 'This browser is not signed in. Run this in a terminal and open the link it prints; this tab then continues where it was.'
            : failure.message}
        </p>
        <div className="mx-auto mt-6 flex w-fit items-center gap-2 rounded-lg border border-line bg-surface py-2 pr-2 pl-5 shadow-low">
          <pre className="font-mono text-sm">retake</pre>
          <CopyButton text="retake" what="command" />
        </div>
        <p className="mt-3 text-xs text-muted">
          The link works once, for a minute. After that this browser stays signed in.
        </p>
      </div>
    </main>
  )
}
