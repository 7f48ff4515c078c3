import type { ReactNode } from 'react'

/** Retake's own sentences, in which commands stand between backticks. */
export function InlineCode({ text }: { text: string }): ReactNode {
  return (
    <span>
      {text.split(/(`[^`]+`)/).map((part, at) =>
        part.startsWith('`') && part.length > 2 ? (
          <code key={at} className="font-mono text-[0.9em]">
            {part.slice(1, -1)}
          </code>
        ) : (
          part
        ),
      )}
    </span>
  )
}
