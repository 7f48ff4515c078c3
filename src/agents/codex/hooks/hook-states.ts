/** What Codex's configuration says about one hook. */
export interface HookState {
  readonly trustedHash?: string
  readonly enabled?: boolean
}

/** A quoted TOML key or value: with escapes, or literal. */
const QUOTED = `"(?:[^"\\\\\\n]|\\\\.)*"|'[^'\\n]*'`

const TABLE = new RegExp(
  `^[ \\t]*\\[[ \\t]*hooks[ \\t]*\\.[ \\t]*state[ \\t]*(?:\\.[ \\t]*(${QUOTED})[ \\t]*)?\\]`,
)
const ANY_TABLE = /^[ \t]*\[/
const INLINE = new RegExp(`^[ \\t]*(${QUOTED})[ \\t]*=[ \\t]*\\{(.*)\\}`)
const HASH = new RegExp(`(?:^|[ \\t{,])trusted_hash[ \\t]*=[ \\t]*(${QUOTED})`)
const ENABLED = /(?:^|[ \t{,])enabled[ \t]*=[ \t]*(true|false)/

/**
 * Reads `[hooks.state."KEY"]` tables, as Codex writes them, and inline tables below
 * `[hooks.state]`. Reads nothing else of the configuration; other spellings count as not trusted.
 */
export function readHookStates(toml: string): Map<string, HookState> {
  const states = new Map<string, HookState>()
  const add = (key: string, line: string): void => {
    const hash = HASH.exec(line)?.[1]
    const enabled = ENABLED.exec(line)?.[1]
    states.set(key, {
      ...states.get(key),
      ...(hash === undefined ? {} : { trustedHash: unquote(hash) }),
      ...(enabled === undefined ? {} : { enabled: enabled === 'true' }),
    })
  }
  let isInside = false
  let key: string | null = null
  for (const line of toml.split(/\r?\n/)) {
    if (ANY_TABLE.test(line)) {
      const table = TABLE.exec(line)
      isInside = table !== null
      key = table?.[1] === undefined ? null : unquote(table[1])
      continue
    }
    if (!isInside) continue
    const inline = key === null ? INLINE.exec(line) : null
    if (key !== null) add(key, line)
    else if (inline !== null) add(unquote(inline[1]!), inline[2]!)
  }
  return states
}

function unquote(text: string): string {
  if (text.startsWith("'")) return text.slice(1, -1)
  return text
    .slice(1, -1)
    .replaceAll(/\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))/g, (_, four, eight, one: string) => {
      const code = (four ?? eight) as string | undefined
      if (code !== undefined) return String.fromCodePoint(Number.parseInt(code, 16))
      return ESCAPES[one] ?? one
    })
}

const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  t: '\t',
  n: '\n',
  f: '\f',
  r: '\r',
  e: '\u001B',
}
