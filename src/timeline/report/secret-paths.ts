import { foldName, FOLDS_ALL } from '../data/index.ts'

// Files that usually hold secrets. `.envrc` is not one of them: it runs, so the user must see it
// before agreeing to it (S9).
const SECRET: readonly RegExp[] = [
  /(^|\/)\.env(\.(?!example$|sample$|template$|dist$)[^/]*)?$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx)$/,
  /(^|\/)id_(rsa|dsa|ecdsa|ed25519)$/,
  /(^|\/)\.(netrc|pgpass|htpasswd|git-credentials|npmrc|pypirc)$/,
  /(^|\/)credentials(\.json)?$/,
]

/** The content of such a file is shown only on request (S14). */
export function holdsSecrets(path: string): boolean {
  const folded = foldName(path, FOLDS_ALL)
  return SECRET.some((pattern) => pattern.test(folded))
}
