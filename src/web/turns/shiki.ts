import { createHighlighterCore, createCssVariablesTheme } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'
import type { LanguageInput } from 'shiki/core'

/** Each language loads with the first code in it. */
const LANGUAGES: Record<string, () => LanguageInput> = {
  bash: () => import('shiki/langs/bash.mjs'),
  c: () => import('shiki/langs/c.mjs'),
  cpp: () => import('shiki/langs/cpp.mjs'),
  csharp: () => import('shiki/langs/csharp.mjs'),
  css: () => import('shiki/langs/css.mjs'),
  diff: () => import('shiki/langs/diff.mjs'),
  docker: () => import('shiki/langs/docker.mjs'),
  go: () => import('shiki/langs/go.mjs'),
  html: () => import('shiki/langs/html.mjs'),
  java: () => import('shiki/langs/java.mjs'),
  javascript: () => import('shiki/langs/javascript.mjs'),
  json: () => import('shiki/langs/json.mjs'),
  jsx: () => import('shiki/langs/jsx.mjs'),
  kotlin: () => import('shiki/langs/kotlin.mjs'),
  markdown: () => import('shiki/langs/markdown.mjs'),
  php: () => import('shiki/langs/php.mjs'),
  python: () => import('shiki/langs/python.mjs'),
  ruby: () => import('shiki/langs/ruby.mjs'),
  rust: () => import('shiki/langs/rust.mjs'),
  sql: () => import('shiki/langs/sql.mjs'),
  swift: () => import('shiki/langs/swift.mjs'),
  toml: () => import('shiki/langs/toml.mjs'),
  tsx: () => import('shiki/langs/tsx.mjs'),
  typescript: () => import('shiki/langs/typescript.mjs'),
  xml: () => import('shiki/langs/xml.mjs'),
  yaml: () => import('shiki/langs/yaml.mjs'),
}

export interface Token {
  readonly text: string
  readonly color: string | undefined
}

// The JavaScript engine, because the page's security policy forbids WebAssembly.
const highlighter = createHighlighterCore({
  themes: [
    createCssVariablesTheme({ name: 'retake', variablePrefix: '--shiki-', variableDefaults: {} }),
  ],
  langs: [],
  engine: createJavaScriptRegexEngine({ forgiving: true }),
})

/** Tokens per line; null for an unknown language. */
export async function tokenize(code: string, language: string): Promise<Token[][] | null> {
  const load = LANGUAGES[language]
  if (load === undefined) return null
  const shiki = await highlighter
  if (!shiki.getLoadedLanguages().includes(language)) await shiki.loadLanguage(load())
  return shiki
    .codeToTokensBase(code, { lang: language, theme: 'retake', tokenizeMaxLineLength: 2000 })
    .map((line) => line.map(({ content, color }) => ({ text: content, color })))
}
