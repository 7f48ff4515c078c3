import type { ReactNode } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'

/** A command for the terminal, as opposed to a name or a path. */
const COMMAND = /^(?:(?:retake|npm|git) \S|[a-z]+ (?:--)?resume \S)/

/** Retake's own sentences, with code between backticks; commands get a copy button. */
export function InlineCode({ text }: { text: string }): ReactNode {
  return (
    <span>
      {text.split(/(`[^`]+`)/).map((part, at) => {
        const code = part.startsWith('`') && part.length > 2 ? part.slice(1, -1) : null
        if (code === null) return part
        const shown = (
          <code key={at} className="font-mono text-[0.9em]">
            {code}
          </code>
        )
        return COMMAND.test(code) ? (
          <span key={at}>
            {shown}
            <CopyButton text={code} what="command" small />
          </span>
        ) : (
          shown
        )
      })}
    </span>
  )
}
