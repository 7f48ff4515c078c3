import type { Found } from '#disk'
import { putContent, type Store } from '#store'
import { absent, sameValue, type ContentId, type Value } from '#timeline'

/** What was found as a value. A directory or special file is none, and equals nothing. */
export function valueOf(found: Found): Value {
  switch (found.kind) {
    case 'absent':
      return absent
    case 'file':
      return { kind: 'file', content: found.content as ContentId, mode: found.mode }
    case 'symlink':
      return { kind: 'symlink', target: found.target }
    case 'directory':
      return { kind: 'unknown', why: 'a directory stands there' }
    case 'special':
      return { kind: 'unknown', why: 'a special file stands there' }
    default:
      return found satisfies never
  }
}

/** Whether a path holds a value. Where a directory stands there is no file: `absent` holds. */
export function holds(found: Found, value: Value): boolean {
  if (value.kind === 'absent') return found.kind === 'absent' || found.kind === 'directory'
  return sameValue(valueOf(found), value)
}

/** Keeps the bytes, so that whatever happens to the file they can be got back. */
export function keep(store: Store, found: Found): Value {
  if (found.kind === 'file') putContent(store, found.bytes)
  return valueOf(found)
}
