import type { FoundEntry } from '#disk'
import { putKnownContent, type Store } from '#store'
import { absent, sameValue, type ContentId, type Value } from '#timeline'

/** Converts to a value. Directories and special files become `unknown`, which equals nothing. */
export function valueOf(found: FoundEntry): Value {
  switch (found.kind) {
    case 'absent':
      return absent
    case 'file':
      return { kind: 'file', content: found.content as ContentId, mode: found.mode }
    case 'symlink':
      return { kind: 'symlink', target: found.target }
    case 'directory':
      return { kind: 'unknown', why: 'a directory is there' }
    case 'special':
      return { kind: 'unknown', why: 'a special file is there' }
    default:
      return found satisfies never
  }
}

/** Whether a path holds a value. A directory counts as `absent`, because no file is there. */
export function holds(found: FoundEntry, value: Value): boolean {
  if (value.kind === 'absent') return found.kind === 'absent' || found.kind === 'directory'
  return sameValue(valueOf(found), value)
}

/** Stores the bytes, so that they can be restored whatever happens to the file. */
export function keep(store: Store, found: FoundEntry): Value {
  if (found.kind === 'file') putKnownContent(store, found.bytes, found.content as ContentId)
  return valueOf(found)
}
