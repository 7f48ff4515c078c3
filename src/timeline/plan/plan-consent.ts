import type { ProjectPath } from '../data/index.ts'

// What stands in these files runs when the agent, an editor, the shell or git next looks at them.
// A restore must not start a program that nobody was shown (S9).
const EXECUTES: readonly RegExp[] = [
  // Of an agent or an editor, whichever it is: `.name/settings.local.json`, `.name/hooks/…`.
  /(^|\/)\.[^/]+\/settings[^/]*\.json$/,
  /(^|\/)\.[^/]+\/hooks\//,
  /(^|\/)\.mcp\.json$/,
  /(^|\/)\.vscode\/tasks\.json$/,
  /(^|\/)\.husky\//,
  /(^|\/)\.githooks\//,
  /(^|\/)\.envrc$/,
]

/** Some file systems take other spellings for the same file, so the spelling does not count. */
export function executes(path: ProjectPath): boolean {
  const folded = foldCase(path)
  return EXECUTES.some((pattern) => pattern.test(folded))
}

/** Git's own directory, in every spelling that a file system may take for it (sem.A9). */
export function isNeverWritten(path: ProjectPath): boolean {
  return foldCase(path)
    .split('/')
    .some((part) => /^(\.git|git~\d+)[. ]*$/.test(part.replaceAll(INVISIBLE, '')))
}

// Characters that HFS+ leaves out when it compares names.
const INVISIBLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** Two paths with one folded form are the same file on systems that do not tell case apart. */
export function foldCase(path: string): string {
  return path.normalize('NFC').toLowerCase()
}
