import { diffLines } from './lines-diff.ts'

/** A file's text before and after an edit, as an agent recorded it. Null: no file. */
export interface RecordedText {
  readonly before: string | null
  readonly after: string | null
}

export type EncodedText =
  | {
      readonly kind: 'encoded'
      readonly before: Uint8Array | null
      readonly after: Uint8Array | null
      /** Line ends were taken from the present file, or guessed without one. Users must be told. */
      readonly lineEndingsNotRecorded: boolean
    }
  | { readonly kind: 'not-representable'; readonly why: 'encoding' | 'text' }

type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be'

/**
 * Gives recorded text the encoding and line ends of the present file. Agents record decoded text
 * with `\n` only; written back like that, every line of a CRLF file would change. If the encoding
 * cannot be detected, the value is unknown (sem.A6), because a wrong guess would damage the file.
 */
export function encodeLike(present: Uint8Array | null, recorded: RecordedText): EncodedText {
  const texts = [recorded.before, recorded.after].filter((text) => text !== null)
  if (!texts.every((text) => text.isWellFormed())) return { kind: 'not-representable', why: 'text' }
  const model = present === null ? null : decode(present)
  if (present !== null && model === null) return { kind: 'not-representable', why: 'encoding' }
  const lines = model === null ? [] : splitText(model.text)
  const styles = new Set(lines.flatMap(({ end }) => (end === '' ? [] : [end])))
  // If the agent recorded CRLF, nothing was lost.
  const lost = texts.filter((text) => text.includes('\n') && !text.includes('\r\n'))
  function encode(text: string | null): Uint8Array | null {
    if (text === null) return null
    const bare = text.startsWith(BOM) ? text.slice(1) : text
    const ended = styles.has('\r\n') && !bare.includes('\r\n') ? likeLines(bare, lines) : bare
    const bom = model?.bom === true || text.startsWith(BOM)
    return encodeText((bom ? BOM : '') + ended, model?.encoding ?? 'utf-8')
  }
  return {
    kind: 'encoded',
    before: encode(recorded.before),
    after: encode(recorded.after),
    lineEndingsNotRecorded: lost.length > 0 && !(styles.size === 1 && styles.has('\n')),
  }
}

/**
 * Whether the recorded text is that of the file, ignoring line ends, encoding and byte order mark.
 * Agents record other encodings as UTF-8 with replacement characters.
 */
export function isSameText(recorded: Uint8Array, file: Uint8Array): boolean {
  const one = decode(recorded)
  if (one === null) return false
  const text = decode(file)?.text ?? (one.text.includes('\ufffd') ? decodeLossily(file) : null)
  return text !== null && plainEnds(one.text) === plainEnds(text)
}

function plainEnds(text: string): string {
  return text.replaceAll('\r\n', '\n')
}

function decodeLossily(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: false }).decode(bytes)
}

const BOM = '\ufeff'

interface Decoded {
  readonly text: string
  readonly encoding: Encoding
  readonly bom: boolean
}

function decode(bytes: Uint8Array): Decoded | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, 'utf-16le')
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, 'utf-16be')
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    const bom = text.startsWith(BOM)
    return { text: bom ? text.slice(1) : text, encoding: 'utf-8', bom }
  } catch {
    // Not UTF-8, and without a byte order mark.
    return null
  }
}

function decodeUtf16(bytes: Uint8Array, encoding: Encoding): Decoded | null {
  if (bytes.length % 2 !== 0) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let text = ''
  for (let at = 2; at < bytes.length; at += 2)
    text += String.fromCharCode(view.getUint16(at, encoding === 'utf-16le'))
  return text.isWellFormed() ? { text, encoding, bom: true } : null
}

function encodeText(text: string, encoding: Encoding): Uint8Array {
  if (encoding === 'utf-8') return new TextEncoder().encode(text)
  const bytes = new Uint8Array(2 * text.length)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < text.length; at++)
    view.setUint16(2 * at, text.charCodeAt(at), encoding === 'utf-16le')
  return bytes
}

interface TextLine {
  readonly text: string
  readonly end: '' | '\n' | '\r\n'
}

function splitText(text: string): TextLine[] {
  const parts = text.split('\n')
  const last = parts.pop()!
  const lines = parts.map((part): TextLine =>
    part.endsWith('\r') ? { text: part.slice(0, -1), end: '\r\n' } : { text: part, end: '\n' },
  )
  return last === '' ? lines : [...lines, { text: last, end: '' }]
}

/**
 * Lines that are also in the file keep their line end, others get the most common one. In a file
 * with mixed line ends, anything else would change lines that the edit did not touch.
 */
function likeLines(text: string, model: readonly TextLine[]): string {
  const lines = splitText(text)
  const ids = new Map<string, number>()
  const numbers = (list: readonly TextLine[]) =>
    list.map((line) => {
      const id = ids.get(line.text) ?? ids.size
      ids.set(line.text, id)
      return id
    })
  const usual = usualEnd(model)
  const ends = lines.map(() => usual)
  let shift = 0
  let at = 0
  for (const hunk of [...diffLines(numbers(model), numbers(lines)), null]) {
    const to = hunk?.a.from ?? model.length
    for (; at < to; at++) ends[at + shift] = model[at]!.end || usual
    if (hunk === null) break
    at = hunk.a.to
    shift = hunk.b.to - hunk.a.to
  }
  return lines.map((line, index) => line.text + (line.end === '' ? '' : ends[index]!)).join('')
}

function usualEnd(lines: readonly TextLine[]): '\n' | '\r\n' {
  const crlf = lines.filter((line) => line.end === '\r\n').length
  const lf = lines.filter((line) => line.end === '\n').length
  return crlf > lf ? '\r\n' : '\n'
}
