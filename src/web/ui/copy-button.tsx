import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'

interface CopyButtonProps {
  readonly text: string
  /** What is copied, as in “Copy command”. */
  readonly what: string
  readonly className?: string
}

export function CopyButton({ text, what, className = '' }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <Button
      look="quiet"
      size="icon"
      aria-label={copied ? 'Copied' : `Copy ${what}`}
      onClick={() => void copy()}
      className={className}
    >
      {copied ? <Check size={14} /> : <Copy size={14} />}
    </Button>
  )
}
