import { openClient } from '#protocol'

/**
 * What keeps this browser signed in: a non-extractable private key, in IndexedDB for this origin.
 * It never leaves the browser; the server gets challenges signed with it.
 */
interface Kept {
  readonly browser: string
  readonly keys: CryptoKeyPair
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' }
const NAME = 'browser'

export async function makeKeys(): Promise<{ keys: CryptoKeyPair; key: string }> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, false, ['sign', 'verify'])
  const key = base64url(await crypto.subtle.exportKey('spki', keys.publicKey))
  return { keys, key }
}

export async function keep(kept: Kept): Promise<void> {
  await inDatabase('readwrite', (store) => store.put(kept, NAME))
}

/** A token for a browser that signed in before; null if it never did, or was signed out. */
export async function signIn(): Promise<string | null> {
  const kept = (await inDatabase('readonly', (store) => store.get(NAME)).catch(() => null)) as
    | Kept
    | null
    | undefined
  if (kept == null) return null
  const server = openClient({ origin: '', token: null })
  const { challenge } = await server.makeChallenge({})
  const text = ['retake sign-in', location.origin, challenge, kept.browser].join('\n')
  const signature = await crypto.subtle.sign(
    { name: 'ECDSA', hash: 'SHA-256' },
    kept.keys.privateKey,
    new TextEncoder().encode(text),
  )
  try {
    const { token } = await server.signIn({
      browser: kept.browser,
      challenge,
      signature: base64url(signature),
    })
    return token
  } catch {
    return null
  }
}

/** This browser's id in the list of signed-in browsers. */
export async function ownBrowser(): Promise<string | null> {
  const kept = (await inDatabase('readonly', (store) => store.get(NAME)).catch(() => null)) as
    | Kept
    | null
    | undefined
  return kept?.browser ?? null
}

/** This browser's name in the list of signed-in browsers. */
export function browserName(): string {
  const agent = navigator.userAgent
  const names = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari']
  const found = names.find((name) => agent.includes(`${name}/`)) ?? 'Browser'
  const name = { Edg: 'Edge', OPR: 'Opera' }[found] ?? found
  const system = /Windows|Mac OS X|Android|iPhone|iPad|Linux|CrOS/.exec(agent)?.[0]
  return system === undefined ? name : `${name} on ${system.replace(' OS X', '')}`
}

function inDatabase<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('retake', 1)
    opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('keys'))
    opening.addEventListener('error', () => reject(opening.error!))
    opening.addEventListener('success', () => {
      const database = opening.result
      const request = act(database.transaction('keys', mode).objectStore('keys'))
      request.addEventListener('error', () => reject(request.error!))
      request.addEventListener('success', () => {
        database.close()
        resolve(request.result)
      })
    })
  })
}

function base64url(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
