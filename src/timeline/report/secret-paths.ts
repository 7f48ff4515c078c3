import { foldCase } from '../plan/index.ts'

// Files whose whole use is to hold what nobody else may know. `.envrc` is none of them: it runs, so
// whoever agrees to it must have seen it (S9).
const SECRET: readonly RegExp[] = [
  /(^|\/)\.env(\.(?!example$|sample$|template$|dist$)[^/]*)?$/,
  /\.(pem|key|p12|pfx|jks|keystore|kdbx)$/,
  /(^|\/)id_(rsa|dsa|ecdsa|ed25519)$/,
  /(^|\/)\.(netrc|pgpass|htpasswd|git-credentials|npmrc|pypirc)$/,
  /(^|\/)credentials(\.json)?$/,
]

/** What stands in such a file leaves the machine's memory only when somebody asks for it (S14). */
export function holdsSecrets(path: string): boolean {
  const folded = foldCase(path)
  return SECRET.some((pattern) => pattern.test(folded))
}
