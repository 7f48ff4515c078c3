import { createPublicKey, randomBytes, verify, type KeyObject } from 'node:crypto'
import {
  durableDisk,
  inspectPrivate,
  makePrivateDirectory,
  nameBytes,
  readOwnFile,
  removeIfExists,
  writeOnce,
} from '#disk'
import { Failure } from '#failure'

/**
 * A signed-in browser. It holds a private key that its own scripts cannot export; `browsers.json`
 * has the public key. The browser signs a challenge together with its origin, so another program
 * that took our port cannot use what the browser sends it.
 */
export interface Browser {
  readonly id: string
  readonly name: string
  /** The public key, SPKI in base64url. */
  readonly key: string
  /** Keys belong to an origin, and so to a port: on another port, this key is not accepted. */
  readonly port: number
  readonly addedAt: string
  readonly usedAt: string
}

export interface Browsers {
  list(): readonly Browser[]
  add(browser: { name: string; key: string; port: number }): Browser
  /** The browser that signed this challenge at this origin; null if it is not known. */
  find(signed: SignedChallenge): Browser | null
  /** Null removes all of them. */
  remove(id: string | null): void
  /** The port that open pages will look for after a restart. */
  readonly port: number | null
  /** `isTaken`: another program has the old port, so the browsers signed in there are forgotten. */
  movedTo(port: number, isTaken: boolean): void
}

export interface SignedChallenge {
  readonly browser: string
  readonly challenge: string
  readonly signature: string
  readonly port: number
  readonly origins: readonly string[]
}

interface Stored {
  readonly schema: 'retake.browsers-file/1'
  readonly port: number | null
  readonly browsers: readonly Browser[]
}

const NAME = 'browsers.json'
const MAX_BROWSERS = 20
const UNUSED_FOR = 90 * 24 * 60 * 60 * 1000

export function openBrowsers(state: string, now: () => number): Browsers {
  const read = (): Stored => readStored(state)
  const write = (stored: Omit<Stored, 'schema'>): void => {
    const directory = makePrivateDirectory(durableDisk, state, [])
    removeIfExists(durableDisk, nameBytes(`${directory}/${NAME}`))
    const text = JSON.stringify({ schema: 'retake.browsers-file/1', ...stored })
    writeOnce(durableDisk, directory, NAME, Buffer.from(text))
  }
  const fresh = (): readonly Browser[] =>
    read().browsers.filter(({ usedAt }) => now() - Date.parse(usedAt) < UNUSED_FOR)

  return {
    list: fresh,
    add({ name, key, port }) {
      readKey(key)
      const at = new Date(now()).toISOString()
      const id = randomBytes(12).toString('base64url')
      const browser: Browser = { id, name, key, port, addedAt: at, usedAt: at }
      const others = fresh()
        .filter((each) => each.key !== key)
        .toSorted((a, b) => (a.usedAt < b.usedAt ? 1 : -1))
      write({ port, browsers: [browser, ...others].slice(0, MAX_BROWSERS) })
      return browser
    },
    find({ browser: id, challenge, signature, port, origins }) {
      const known = fresh()
      const browser = known.find((each) => each.id === id && each.port === port)
      if (browser === undefined) return null
      const key = { key: readKey(browser.key), dsaEncoding: 'ieee-p1363' } as const
      const bytes = Buffer.from(signature, 'base64url')
      const isSigned = origins.some((origin) =>
        verify('sha256', Buffer.from(signedText({ origin, challenge, browser: id })), key, bytes),
      )
      if (!isSigned) return null
      const used = { ...browser, usedAt: new Date(now()).toISOString() }
      write({ ...read(), browsers: known.map((each) => (each === browser ? used : each)) })
      return used
    },
    remove(id) {
      const { port } = read()
      write({ port, browsers: id === null ? [] : fresh().filter((each) => each.id !== id) })
    },
    get port() {
      return read().port
    },
    movedTo(port, isTaken) {
      const stored = read()
      if (stored.port === port) return
      const browsers = stored.browsers.filter((each) => !isTaken || each.port !== stored.port)
      write({ port, browsers })
    },
  }
}

/** The text that a browser signs. The page has the same function. */
function signedText(of: { origin: string; challenge: string; browser: string }): string {
  return ['retake sign-in', of.origin, of.challenge, of.browser].join('\n')
}

function readKey(text: string): KeyObject {
  try {
    const key = createPublicKey({
      key: Buffer.from(text, 'base64url'),
      format: 'der',
      type: 'spki',
    })
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key
  } catch {
    // Reported below.
  }
  throw new Failure('body-invalid', 'That is not a P-256 public key.')
}

function readStored(state: string): Stored {
  const none: Stored = { schema: 'retake.browsers-file/1', port: null, browsers: [] }
  if (inspectPrivate(durableDisk, `${state}/${NAME}`, 'file') === null) return none
  try {
    const stored = JSON.parse(String(readOwnFile(durableDisk, `${state}/${NAME}`))) as Stored
    return stored?.schema === none.schema && Array.isArray(stored.browsers) ? stored : none
  } catch {
    return none
  }
}
