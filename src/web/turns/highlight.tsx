import { useEffect, useState } from 'react'
import type { Token } from './shiki.ts'
import { cutAt, type Span } from './word-marks.ts'

const MAX_LENGTH = 40_000
const known = new Map<string, Token[][] | null>()

/**
 * The code's tokens, line by line. Null until they are loaded, and for code that is too long or in
 * an unknown language: then plain text is shown.
 */
export function useTokens(code: string, language: string | null): Token[][] | null {
  const key = `${language}\0${code}`
  const [, setReady] = useState(0)
  const wanted = language !== null && code.length <= MAX_LENGTH && code !== ''
  useEffect(() => {
    if (!wanted || known.has(key)) return
    let stays = true
    const load = async (): Promise<void> => {
      const tokens = await find(code, language)
      if (known.size > 400) known.clear()
      known.set(key, tokens)
      if (stays) setReady((n) => n + 1)
    }
    void load()
    return () => {
      stays = false
    }
  }, [key, wanted, code, language])
  return known.get(key) ?? null
}

/** Highlighting is optional: if it fails, plain text is shown. */
async function find(code: string, language: string): Promise<Token[][] | null> {
  try {
    const { tokenize } = await import('./shiki.ts')
    return await tokenize(code, language)
  } catch {
    return null
  }
}

interface TokensProps {
  readonly line: Token[] | undefined
  readonly plain: string
  /** Ranges of changed words. */
  readonly marks?: readonly Span[] | null | undefined
}

export function Tokens({ line, plain, marks }: TokensProps) {
  if (line === undefined && (marks ?? []).length === 0) return plain
  const pieces: { text: string; color?: string | undefined }[] = line ?? [{ text: plain }]
  return cutAt(pieces, marks ?? []).map(({ text, color, marked }, at) => (
    <span key={at} style={{ color }} data-changed-word={marked || undefined}>
      {text}
    </span>
  ))
}

const ENDINGS: Record<string, string> = {
  bash: 'sh bash zsh',
  c: 'c h',
  cpp: 'cc cpp cxx hpp hh',
  csharp: 'cs',
  css: 'css scss',
  docker: 'dockerfile',
  go: 'go',
  html: 'html htm vue svelte',
  java: 'java',
  javascript: 'js mjs cjs javascript',
  json: 'json jsonl jsonc',
  jsx: 'jsx',
  kotlin: 'kt kts',
  markdown: 'md mdx',
  php: 'php',
  python: 'py python',
  ruby: 'rb',
  rust: 'rs',
  sql: 'sql',
  swift: 'swift',
  toml: 'toml',
  tsx: 'tsx',
  typescript: 'ts mts cts typescript',
  xml: 'xml svg',
  yaml: 'yml yaml',
}
const LANGUAGE_OF = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) =>
    [language, ...endings.split(' ')].map((ending): [string, string] => [ending, language]),
  ),
)

/** The language for a file's extension, or for the name after a code fence. */
export function languageOf(name: string): string | null {
  const last = name.toLowerCase().split(/[./]/).at(-1) ?? ''
  return LANGUAGE_OF.get(last) ?? null
}
