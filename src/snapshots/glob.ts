/**
 * Matches a pattern of an ignore file as git's wildmatch does: on bytes (one character per byte).
 * `*` and `?` stop at a slash, `**` between slashes does not.
 *
 * The pattern comes with the repository and may be hostile. Compiled to a regular expression,
 * `*a*a*a*a*…b` would run for years. This matcher only ever retries from the last star.
 */
export function matchGlob(pattern: string, text: string): boolean {
  let p = 0
  let t = 0
  // Where to retry if the text after the last `*` or `**` does not match.
  let star: { p: number; t: number } | null = null
  let deep: { p: number; t: number } | null = null
  for (;;) {
    if (p === pattern.length && t === text.length) return true
    if (pattern[p] === '*') {
      let end = p
      while (pattern[end] === '*') end += 1
      const isDeep =
        end - p >= 2 &&
        (p === 0 || pattern[p - 1] === '/') &&
        (end === pattern.length || pattern[end] === '/')
      if (isDeep) {
        if (end === pattern.length) return true
        // `**/` also matches the empty string.
        deep = { p: end + 1, t }
        star = null
        p = end + 1
      } else {
        star = { p: end, t }
        p = end
      }
      continue
    }
    const next = p < pattern.length && t < text.length ? matchOne(pattern, p, text[t]!) : -1
    if (next >= 0) {
      p = next
      t += 1
      continue
    }
    if (star !== null && star.t < text.length && text[star.t] !== '/') {
      star.t += 1
      p = star.p
      t = star.t
      continue
    }
    if (deep === null) return false
    const slash = text.indexOf('/', deep.t)
    if (slash < 0) return false
    deep.t = slash + 1
    star = null
    p = deep.p
    t = deep.t
  }
}

/** The pattern index after matching one character; -1 if it does not match. */
function matchOne(pattern: string, p: number, character: string): number {
  switch (pattern[p]!) {
    case '?':
      return character === '/' ? -1 : p + 1
    case '[':
      return matchClass(pattern, p + 1, character)
    case '\\':
      return pattern[p + 1] === character ? p + 2 : -1
    default:
      return pattern[p] === character ? p + 1 : -1
  }
}

const NAMED: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    alnum: /[0-9A-Za-z]/u,
    alpha: /[A-Za-z]/u,
    blank: /[ \t]/u,
    cntrl: /[\0-\x1f\x7f]/u,
    digit: /[0-9]/u,
    graph: /[!-~]/u,
    lower: /[a-z]/u,
    print: /[ -~]/u,
    punct: /[!-/:-@[-`{-~]/u,
    space: /[ \t-\r]/u,
    upper: /[A-Z]/u,
    xdigit: /[0-9A-Fa-f]/u,
  }),
)

/**
 * Matches a class such as `[a-z]`, starting after its bracket. An unclosed class matches nothing.
 */
function matchClass(pattern: string, start: number, character: string): number {
  let p = start
  const isNegated = pattern[p] === '!' || pattern[p] === '^'
  if (isNegated) p += 1
  let isIn = false
  // The last single character: the lower bound if a range follows.
  let low: string | null = null
  for (let isFirst = true; isFirst || pattern[p] !== ']'; isFirst = false) {
    let one = pattern[p]
    if (one === undefined) return -1
    if (one === '-' && low !== null && pattern[p + 1] !== undefined && pattern[p + 1] !== ']') {
      p += 1
      if (pattern[p] === '\\') p += 1
      const high = pattern[p]
      if (high === undefined) return -1
      if (character >= low && character <= high) isIn = true
      low = null
      p += 1
      continue
    }
    if (one === '[' && pattern[p + 1] === ':') {
      const end = pattern.indexOf(']', p + 2)
      if (end < 0) return -1
      if (end - p >= 3 && pattern[end - 1] === ':') {
        const named = NAMED.get(pattern.slice(p + 2, end - 1))
        if (named === undefined) return -1
        if (named.test(character)) isIn = true
        low = null
        p = end + 1
        continue
      }
    }
    if (one === '\\') {
      p += 1
      one = pattern[p]
      if (one === undefined) return -1
    }
    if (one === character) isIn = true
    low = one
    p += 1
  }
  return isIn === isNegated || character === '/' ? -1 : p + 1
}
