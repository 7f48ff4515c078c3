import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { languageOf, Tokens, useTokens } from './highlight.tsx'

export function CodeBlock({ code, language }: { code: string; language: string }) {
  const tokens = useTokens(code, languageOf(language))
  const [copied, setCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(code)
    setCopied(true)
    setTimeout(() => setCopied(false), 1500)
  }
  return (
    <div className="group/code relative rounded-lg border border-line bg-sunken">
      <pre
        // Reachable, so that what is wider than the page can be scrolled to by keyboard.
        tabIndex={0}
        className="overflow-x-auto p-3 font-mono text-xs leading-relaxed"
      >
        <code>
          {code.split('\n').map((line, at) => (
            <span key={at}>
              <Tokens line={tokens?.[at]} plain={line} />
              {'\n'}
            </span>
          ))}
        </code>
      </pre>
      <Button
        look="quiet"
        size="icon"
        aria-label={copied ? 'Copied' : 'Copy code'}
        onClick={() => void copy()}
        className="absolute top-1.5 right-1.5 bg-sunken opacity-0 group-hover/code:opacity-100 focus-visible:opacity-100"
      >
        {copied ? <Check size={14} /> : <Copy size={14} />}
      </Button>
    </div>
  )
}
