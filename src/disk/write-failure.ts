import { Failure, type FailureCode } from '#failure'
import { errnoOf } from './durable-disk.ts'

const WORDS: Record<string, { code: FailureCode; says: string; hint?: string }> = {
  ENOSPC: {
    code: 'disk-full',
    says: 'there is no space left on the disk, or no inodes',
    hint: 'Free some space (`df -h`), or delete files if there are too many (`df -i`).',
  },
  EDQUOT: { code: 'disk-full', says: 'your disk quota is used up', hint: 'Free some space first.' },
  EACCES: {
    code: 'no-permission',
    says: 'there is no permission to write there',
    hint: 'Check who owns the file and its directory, and their modes.',
  },
  EPERM: {
    code: 'no-permission',
    says: 'the system does not allow it',
    hint: 'The file may be immutable, or belong to someone else.',
  },
  EROFS: { code: 'read-only', says: 'the file system is read-only' },
  EIO: { code: 'disk-error', says: 'the disk reported an error', hint: 'Check the disk.' },
  EMFILE: {
    code: 'too-many-open-files',
    says: 'too many files are open',
    hint: 'Raise the limit with `ulimit -n`, then try again.',
  },
  ENAMETOOLONG: { code: 'name-too-long', says: 'a name is too long' },
  EBUSY: { code: 'path-busy', says: 'the system is using the file, or it is a mount point' },
}

/** Describes an errno of a write for users. Returns a Failure unchanged. */
export function writeFailure(cause: unknown, path: string): Failure {
  if (cause instanceof Failure) return cause
  const errno = errnoOf(cause)
  const words = errno === undefined ? undefined : WORDS[errno]
  if (words === undefined)
    return new Failure('write-failed', `Writing ${path} failed (${errno ?? String(cause)}).`, {
      cause,
    })
  const hint = words.hint === undefined ? {} : { hint: words.hint }
  return new Failure(words.code, `${path} cannot be written: ${words.says}.`, { ...hint, cause })
}
