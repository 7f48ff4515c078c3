import { Failure } from '#failure'
import type { Contents, FileState, Value } from '#timeline'

/** Longer files are not shown; users open them in an editor. */
const MAX_TEXT = 1024 * 1024

/** A value's text for display, or why there is none. */
export function textOf(
  contents: Contents,
  value: Value,
): { readonly state: FileState; readonly text: string | null } {
  if (value.kind === 'symlink') return { state: 'symlink', text: value.target }
  if (value.kind !== 'file') return { state: value.kind, text: null }
  const bytes = bytesOf(contents, value)
  const state = stateOf(bytes)
  if (bytes === null || state !== 'file') return { state, text: null }
  return { state, text: new TextDecoder().decode(bytes) }
}

export function stateOf(bytes: Uint8Array | null): FileState {
  if (bytes === null) return 'unknown'
  if (bytes.includes(0)) return 'binary'
  return bytes.length > MAX_TEXT ? 'too-large' : 'file'
}

/** Null if gc deleted the content. */
export function bytesOf(
  contents: Contents,
  value: Extract<Value, { kind: 'file' }>,
): Uint8Array | null {
  try {
    return contents.bytes(value.content)
  } catch (error) {
    if (error instanceof Failure) return null
    throw error
  }
}
