import { command, Failure, remedy } from '#failure'

/** SQLite's result codes that do not indicate a bug in Retake. */
const ERROR = 1
const BUSY = 5
const LOCKED = 6
const READONLY = 8
const IOERR = 10
const CORRUPT = 11
const FULL = 13
const CANTOPEN = 14
const NOTADB = 26

/** SQLite's primary result code; undefined for any other error. */
export function sqliteCode(error: unknown): number | undefined {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' ? code & 0xff : undefined
}

export function isBusy(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === BUSY || code === LOCKED
}

export function isDamaged(error: unknown): boolean {
  const code = sqliteCode(error)
  return code === CORRUPT || code === NOTADB
}

/** Damage that SQLite reports as another error: in its header, in the schema, or in a number. */
function indicatesDamage(cause: unknown): boolean {
  if ((cause as { code?: unknown } | null)?.code === 'ERR_OUT_OF_RANGE') return true
  const words =
    /unsupported file format|malformed|no such (table|column|index)|already exists|duplicate column/
  return sqliteCode(cause) === ERROR && words.test((cause as Error).message)
}

/** Turns SQLite's errors into messages for users. Returns other errors unchanged. */
export function storeFailure(cause: unknown, path: string): unknown {
  const code = indicatesDamage(cause) ? CORRUPT : sqliteCode(cause)
  if (code === undefined) return cause
  switch (code) {
    case BUSY:
    case LOCKED:
      return new Failure('store-busy', `Another process is writing to ${path}.`, {
        hint: 'Try again in a moment.',
        cause,
      })
    case CORRUPT:
      return new Failure('store-damaged', `Retake's store ${path} is damaged.`, {
        hint: remedy`Nothing was changed. Make a copy of the directory first, then ${command('check')}.`,
        cause,
      })
    case NOTADB:
      return new Failure('store-foreign', `${path} is not a store of this version of Retake.`, {
        hint: 'Move the file away if it is not needed, then try again. It was not changed.',
        cause,
      })
    case FULL:
      return new Failure('disk-full', `There is no space left for Retake's store ${path}.`, {
        hint: 'Free some space, then try again.',
        cause,
      })
    case READONLY:
    case CANTOPEN:
      return new Failure('store-unwritable', `Retake's store ${path} cannot be written.`, {
        hint: 'Check the mode and the owner of its directory.',
        cause,
      })
    case IOERR:
      return new Failure('disk-error', `The disk reported an error in Retake's store ${path}.`, {
        hint: 'Check the disk.',
        cause,
      })
    default:
      return cause
  }
}
