import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { notify } from './toasts.tsx'
import { Button } from './button.tsx'

interface CopyButtonProps {
  readonly text: string
  /** What is copied, as in “Copy command”. */
  readonly what: string
  /** For use inside a line of text. */
  readonly small?: boolean
  readonly className?: string
}

export function CopyButton({ text, what, small = false, className = '' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    if (!(await copyText(text))) return
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  const size = small ? 12 : 14
  return (
    <Button
      variant="quiet"
      size="icon"
      aria-label={copied ? 'Copied' : `Copy ${what}`}
      onClick={() => void copy()}
      className={small ? `mx-0.5 !inline-flex !size-6 align-middle ${className}` : className}
    >
      {copied ? <Check size={size} /> : <Copy size={size} />}
    </Button>
  )
}

/** False if the browser refuses. Says so, because the user would paste the old clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    notify({ kind: 'failed', title: 'The browser does not allow copying here.' })
    return false
  }
}
