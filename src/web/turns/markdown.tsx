import { isValidElement, memo, type ComponentProps, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from './code-block.tsx'

/**
 * Text from agents and users, which is untrusted: HTML is shown as text, images are not loaded (a
 * URL can leak what the agent was told), and links lead only to the web.
 */
export const Markdown = memo(function Markdown({ text }: { text: string }) {
  return (
    <div dir="auto" className="prose">
      <ReactMarkdown
        remarkPlugins={[[remarkGfm, { singleTilde: false }]]}
        components={COMPONENTS}
        urlTransform={webOnly}
      >
        {text}
      </ReactMarkdown>
    </div>
  )
})

function webOnly(url: string): string {
  return /^https?:\/\//i.test(url) ? url : ''
}

const COMPONENTS: Components = {
  a: ({ href, children }) =>
    href === undefined || href === '' ? (
      <span>{children}</span>
    ) : (
      <a href={href} target="_blank" rel="noreferrer noopener">
        {children}
      </a>
    ),
  img: ({ alt, src }) => (
    <span className="text-muted">
      [picture: {alt === undefined || alt === '' ? (src ?? '') : alt}]
    </span>
  ),
  // Direction per paragraph, because an answer may mix languages.
  p: ({ children }) => <p dir="auto">{children}</p>,
  li: ({ children }) => <li dir="auto">{children}</li>,
  h1: ({ children }) => <h1 dir="auto">{children}</h1>,
  h2: ({ children }) => <h2 dir="auto">{children}</h2>,
  h3: ({ children }) => <h3 dir="auto">{children}</h3>,
  pre: ({ children }) => {
    const { text, language } = codeIn(children)
    return <CodeBlock code={text} language={language} />
  },
  // The checkboxes of a task list are part of the text and cannot be ticked.
  input: ({ checked }) => <span aria-hidden>{checked === true ? '☑ ' : '☐ '}</span>,
}

function codeIn(children: ReactNode): { text: string; language: string } {
  if (!isValidElement<ComponentProps<'code'>>(children)) return { text: '', language: '' }
  const { className = '', children: inner } = children.props
  return {
    text: typeof inner === 'string' ? inner.replace(/\n$/, '') : '',
    language: /language-(\S+)/.exec(className)?.[1] ?? '',
  }
}
