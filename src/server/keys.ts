import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/**
 * What lets somebody in: a token of 256 bits per start, and codes that are changed for it, each
 * once and within a minute. TCP does not tell which user asks, so the token is the only thing that
 * keeps the other users of this machine out. It never stands in an argument, a URL or a log.
 */
export interface Keys {
  readonly token: string
  isToken(text: string | undefined): boolean
  makeCode(): string
  /** Whether the code was good; it is not any more. */
  spendCode(code: string): boolean
}

const LIFE_OF_CODE = 60_000
const MOST_CODES = 16

export function makeKeys(now: () => number = () => performance.now()): Keys {
  const token = randomBytes(32).toString('base64url')
  const expected = digest(token)
  const codes = new Map<string, number>()
  return {
    token,
    isToken: (text) => text !== undefined && timingSafeEqual(digest(text), expected),
    makeCode() {
      const code = randomBytes(24).toString('base64url')
      codes.set(digest(code).toString('hex'), now() + LIFE_OF_CODE)
      // Links that nobody opened must not pile up.
      for (const oldest of codes.keys()) if (codes.size > MOST_CODES) codes.delete(oldest)
      return code
    },
    spendCode(code) {
      // By its digest, so that the time of the look-up says nothing about codes that are good.
      const name = digest(code).toString('hex')
      const until = codes.get(name)
      codes.delete(name)
      return until !== undefined && now() <= until
    },
  }
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

/** `Authorization: Bearer TOKEN`, and nothing like it. */
export function bearerOf(header: string | undefined): string | undefined {
  return /^Bearer ([\w-]{1,128})$/.exec(header ?? '')?.[1]
}
