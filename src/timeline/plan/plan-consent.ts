import { foldName, FOLDS_ALL, type ProjectPath } from '../data/index.ts'

// The agent, an editor, the shell or git runs the content of these files. A restore must not start
// a program that the user has not seen (S9).
const EXECUTES: readonly RegExp[] = [
  // Any agent's or editor's files: `.name/settings.local.json`, `.name/hooks/…`.
  /(^|\/)\.[^/]+\/settings[^/]*\.json$/,
  /(^|\/)\.[^/]+\/hooks\//,
  /(^|\/)\.mcp\.json$/,
  /(^|\/)\.vscode\/tasks\.json$/,
  /(^|\/)\.husky\//,
  /(^|\/)\.githooks\//,
  /(^|\/)\.envrc$/,
]

/** In any spelling that a file system accepts. */
export function executes(path: ProjectPath): boolean {
  const folded = foldName(path, FOLDS_ALL)
  return EXECUTES.some((pattern) => pattern.test(folded))
}

/**
 * Whether the path is in git's own directory, in any spelling that a file system accepts (sem.A9).
 */
export function isNeverWritten(path: ProjectPath): boolean {
  return foldName(path, FOLDS_ALL)
    .split('/')
    .some((part) => /^(\.git|git~\d+)[. ]*$/.test(part.replaceAll(INVISIBLE, '')))
}

// Characters that HFS+ ignores when it compares names.
const INVISIBLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
