import { Failure, type FailureCode } from '#failure'

const WORDS: Record<string, { code: FailureCode; says: (path: string) => string; hint?: string }> =
  {
    ENOENT: { code: 'not-found', says: (path) => `${path} does not exist.` },
    ENOTDIR: { code: 'not-found', says: (path) => `${path} does not exist.` },
    EISDIR: { code: 'not-a-file', says: (path) => `${path} is a directory, not a file.` },
    EACCES: {
      code: 'no-permission',
      says: (path) => `No permission to read ${path}.`,
      hint: 'Check who owns it and its mode.',
    },
    EPERM: {
      code: 'no-permission',
      says: (path) => `The system does not allow access to ${path}.`,
    },
    ELOOP: {
      code: 'symlink-loop',
      says: (path) => `${path} is a symbolic link that leads nowhere.`,
    },
    EMFILE: {
      code: 'too-many-open-files',
      says: (path) => `Too many files are open to read ${path}.`,
      hint: 'Raise the limit with `ulimit -n`, then try again.',
    },
    EIO: {
      code: 'disk-error',
      says: (path) => `The disk reported an error for ${path}.`,
      hint: 'Check the disk. Nothing was changed.',
    },
  }

/**
 * Describes an errno for users. The path may contain control characters; the terminal output
 * escapes them.
 */
export function diskFailure(cause: unknown, path: string): Failure {
  if (cause === 'not-a-file') return new Failure('not-a-file', `${path} is not a regular file.`)
  const errno = (cause as NodeJS.ErrnoException).code ?? 'unknown'
  const words = WORDS[errno]
  if (words === undefined)
    return new Failure('disk-error', `Reading ${path} failed (${errno}).`, { cause })
  const hint = words.hint === undefined ? {} : { hint: words.hint }
  return new Failure(words.code, words.says(path), { ...hint, cause })
}
