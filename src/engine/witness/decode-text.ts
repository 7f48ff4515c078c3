/**
 * Decodes as agents do. Null if it is not UTF-8: recorded pieces could not be found in it anyway.
 */
export function decodeText(bytes: Uint8Array | null): string | null {
  if (bytes === null) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).replaceAll('\r\n', '\n')
  } catch {
    return null
  }
}
