import { Failure } from '#failure'
import { openClient } from '#protocol'
import { browserName, keep, makeKeys, signIn } from './browser-key.ts'

/** In sessionStorage: per origin and so per port, gone with the tab, invalid after a restart. */
const KEY = 'retake.token'
const SIGNED_IN = 'retake.signed-in'

export type Launch =
  | { readonly kind: 'ready'; readonly token: string }
  | { readonly kind: 'no-token' }
  | { readonly kind: 'refused'; readonly failure: Failure }

/**
 * Finds what lets this page in: a launch code in the fragment, this tab's token, or the key of a
 * browser that signed in before. Removes the code from the URL at once: a reload would report it as
 * used, and a copied URL would carry it.
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
    // Other signed-out tabs of this browser reload on this.
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
  // A browser that cannot store a key still gets in, while this tab lives.
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

/** A new token for this browser after a server restart. Null: the user must sign in. */
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

/** Reloads this tab when the user signs in from another one. */
export function reloadOnSignIn(): void {
  addEventListener('storage', ({ key }) => {
    if (key === SIGNED_IN) location.reload()
  })
}
