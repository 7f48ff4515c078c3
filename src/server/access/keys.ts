import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * All credentials: one 256-bit token per server start, a token of the same kind for each signed-in
 * browser, and codes and challenges that are exchanged for tokens, each once and within a minute.
 * TCP does not tell which user connects, so only tokens keep the other users of this machine out. A
 * token never appears in an argument, a URL or a log, and never outlives the server.
 */
export interface Keys {
  readonly token: string
  /**
   * Whose token this is: the server record's (`browser` is null) or a browser's; null if unknown.
   */
  holderOf(text: string | undefined): TokenOwner | null
  isToken(text: string | undefined): boolean
  makeBrowserToken(browser: string): string
  /** Null revokes the tokens of all browsers. */
  revoke(browser: string | null): void
  makeCode(): string
  /** Whether the code was valid. It is used up now. */
  spendCode(code: string): boolean
  makeChallenge(): string
  spendChallenge(challenge: string): boolean
}

export type TokenOwner = { readonly browser: string | null }

const LIFE_OF_CODE = 60_000
const MAX_CODES = 16
/**
 * Any client can request challenges: they must not push out the one that a page is about to sign.
 */
const MAX_CHALLENGES = 1024
const MAX_BROWSER_TOKENS = 256

export function makeKeys(now: () => number = () => performance.now()): Keys {
  const token = randomBytes(32).toString('base64url')
  const expected = digest(token)
  const browsers = new Map<string, string>()
  const codes = openOnce(now, MAX_CODES)
  const challenges = openOnce(now, MAX_CHALLENGES)
  const holderOf = (text: string | undefined): TokenOwner | null => {
    if (text === undefined) return null
    const given = digest(text)
    if (timingSafeEqual(given, expected)) return { browser: null }
    const browser = browsers.get(given.toString('hex'))
    return browser === undefined ? null : { browser }
  }
  return {
    token,
    holderOf,
    isToken: (text) => holderOf(text) !== null,
    makeBrowserToken(browser) {
      const made = randomBytes(32).toString('base64url')
      browsers.set(digest(made).toString('hex'), browser)
      for (const oldest of browsers.keys())
        if (browsers.size > MAX_BROWSER_TOKENS) browsers.delete(oldest)
      return made
    },
    revoke(browser) {
      for (const [name, holder] of browsers)
        if (browser === null || holder === browser) browsers.delete(name)
    },
    makeCode: () => codes.make(),
    spendCode: (code) => codes.spend(code),
    makeChallenge: () => challenges.make(),
    spendChallenge: (challenge) => challenges.spend(challenge),
  }
}

/** Texts that are valid once, within a minute. */
function openOnce(now: () => number, most: number) {
  const good = new Map<string, number>()
  return {
    make(): string {
      const made = randomBytes(24).toString('base64url')
      good.set(digest(made).toString('hex'), now() + LIFE_OF_CODE)
      // Links that were never opened must not pile up.
      for (const oldest of good.keys()) if (good.size > most) good.delete(oldest)
      return made
    },
    spend(text: string): boolean {
      // Looks up the digest, so that timing reveals nothing about the valid texts.
      const name = digest(text).toString('hex')
      const until = good.get(name)
      good.delete(name)
      return until !== undefined && now() <= until
    },
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** Accepts exactly `Authorization: Bearer TOKEN`. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer ([\w-]{1,128})$/.exec(header ?? '')?.[1]
}
