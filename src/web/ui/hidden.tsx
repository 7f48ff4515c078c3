import { EyeOff } from 'lucide-react'
import { Button } from './button.tsx'

/** Stands in for a file that may contain secrets; its lines load only if the user asks. */
export function Hidden({ onReveal }: { onReveal: () => void }) {
  return (
    <p className="flex flex-wrap items-center gap-2 px-3 py-2 text-xs text-muted">
      <EyeOff size={13} aria-hidden />
      Not shown: it may contain secrets.
      <Button size="small" onClick={onReveal}>
        Show it
      </Button>
    </p>
  )
}
