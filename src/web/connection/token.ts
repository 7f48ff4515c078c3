import { Failure } from '#failure'
import { openClient } from '#protocol'

/** Per origin, so per port; gone with the tab. The address never holds it. */
const KEY = 'retake.token'

export type Launch =
  | { readonly kind: 'ready'; readonly token: string }
  | { readonly kind: 'no-token' }
  | { readonly kind: 'refused'; readonly failure: Failure }

/**
 * Finds what lets this page in: a launch code in the fragment, which works once, or the token that
 * an earlier one was changed for. The code leaves the address at once, or a reload would show it
 * as used, and a copied address would carry it.
 */
export async function launch(): Promise<Launch> {
  const code = new URLSearchParams(location.hash.slice(1)).get('code')
  if (code !== null) history.replaceState(null, '', location.pathname + location.search)
  const known = sessionStorage.getItem(KEY)
  if (code === null) return known === null ? { kind: 'no-token' } : { kind: 'ready', token: known }
  try {
    const { token } = await openClient({ origin: '', token: null }).launch({ code })
    sessionStorage.setItem(KEY, token)
    return { kind: 'ready', token }
  } catch (error) {
    if (known !== null) return { kind: 'ready', token: known }
    if (error instanceof Failure) return { kind: 'refused', failure: error }
    throw error
  }
}

export function forgetToken(): void {
  sessionStorage.removeItem(KEY)
}
