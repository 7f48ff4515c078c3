import { memo, type ReactNode } from 'react'
import { languageOf, Tokens, useTokens } from '../turns/highlight.tsx'

/** Lines. Longer texts are better read in an editor. */
const MAX_LINES = 3000

interface CodeLinesProps {
  readonly path: string
  readonly text: string
  /** What the text is called; its path by default. */
  readonly name?: string
  /** Content in front of a line, such as its author. */
  readonly before?: (line: number) => ReactNode
}

/** A text with line numbers. */
export const CodeLines = memo(function CodeLines({
  path,
  text,
  name = path,
  before,
}: CodeLinesProps) {
  const tokens = useTokens(text.replaceAll('\r\n', '\n').replace(/\n$/, ''), languageOf(path))
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return (
    <div
      role="region"
      aria-label={`Text of ${name}`}
      tabIndex={0}
      className="overflow-x-auto py-1 font-mono text-xs leading-[1.55]"
    >
      {lines.length === 0 && <p className="px-5 py-2 font-sans text-muted">It is empty.</p>}
      {lines.slice(0, MAX_LINES).map((line, at) => (
        <div key={at} className="flex">
          {before?.(at)}
          <span className="w-12 shrink-0 pr-3 text-right text-faint select-none">{at + 1}</span>
          <span className="pr-4 whitespace-pre">
            <Tokens line={tokens?.[at]} plain={line} />
          </span>
        </div>
      ))}
      {lines.length > MAX_LINES && (
        <p className="px-5 py-1 text-muted">… {lines.length - MAX_LINES} more lines</p>
      )}
    </div>
  )
})
