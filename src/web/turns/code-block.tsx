import { CopyButton } from '../ui/copy-button.tsx'
import { languageOf, Tokens, useTokens } from './highlight.tsx'

export function CodeBlock({ code, language }: { code: string; language: string }) {
  const tokens = useTokens(code, languageOf(language))
  return (
    <div className="group/code relative rounded-lg border border-line bg-sunken">
      <pre
        // Focusable, so that code wider than the page can be scrolled by keyboard.
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
      <CopyButton
        text={code}
        what="code"
        className="absolute top-1.5 right-1.5 bg-sunken opacity-0 group-hover/code:opacity-100 focus-visible:opacity-100 [@media(hover:none)]:opacity-100"
      />
    </div>
  )
}
