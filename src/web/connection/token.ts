import { Failure } from '#failure'
import { openClient } from '#protocol'
import { browserName, keep, makeKeys, signIn } from './browser-key.ts'

/** Per origin, so per port; gone with the tab, and worth nothing after the server's next start. */
const KEY = 'retake.token'
const SIGNED_IN = 'retake.signed-in'

export type Launch =
  | { readonly kind: 'ready'; readonly token: string }
  | { readonly kind: 'no-token' }
  | { readonly kind: 'refused'; readonly failure: Failure }

/**
 * Finds what lets this page in: a launch code in the fragment, the token that this tab already has,
 * or the key of a browser that signed in before. The code leaves the address at once, or a reload
 * would show it as used, and a copied address would carry it.
 */
export async function launch(): Promise<Launch> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code === null) {
    const known = sessionStorage.getItem(KEY) ?? (await renewToken())
    return known === null ? { kind: 'no-token' } : { kind: 'ready', token: known }
  }
  history.replaceState(null, '', location.pathname + location.search)
  try {
    const token = await enter(code)
    // Other tabs of this browser hear of it.
    localStorage.setItem(SIGNED_IN, String(Date.now()))
    return { kind: 'ready', token }
  } catch (error) {
    const known = sessionStorage.getItem(KEY) ?? (await renewToken())
    if (known !== null) return { kind: 'ready', token: known }
    if (error instanceof Failure) return { kind: 'refused', failure: error }
    throw error
  }
}

async function enter(code: string): Promise<string> {
  const server = openClient({ origin: '', token: null })
  // A browser that cannot keep a key comes in all the same, for as long as this tab lives.
  const made = await makeKeys().catch(() => null)
  const { token, browser } = await server.launch({
    code,
    ...(made === null ? {} : { key: made.key, name: browserName() }),
  })
  if (made !== null && browser !== undefined)
    await keep({ browser, keys: made.keys }).catch(() => {})
  sessionStorage.setItem(KEY, token)
  return token
}

let renewing: Promise<string | null> | null = null

/** Another token for the same browser, after the server started again. Null: it must sign in. */
export function renewToken(): Promise<string | null> {
  renewing ??= signIn()
    .then((token) => {
      if (token === null) sessionStorage.removeItem(KEY)
      else sessionStorage.setItem(KEY, token)
      return token
    })
    .finally(() => (renewing = null))
  return renewing
}

/** When somebody signs in, in another tab, this one comes in too. */
export function reloadOnSignIn(): void {
  addEventListener('storage', ({ key }) => {
    if (key === SIGNED_IN) location.reload()
  })
}
