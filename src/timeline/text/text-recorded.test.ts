import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesOf, latin1 } from '../data/contents.testing.ts'
import { numRuns } from '../data/runs.testing.ts'
import { encodeLike } from './text-recorded.ts'

const utf8 = (text: string) => new TextEncoder().encode(text)

function utf16(text: string, little: boolean): Uint8Array {
  const bytes = new Uint8Array(2 * text.length)
  for (let at = 0; at < text.length; at++)
    new DataView(bytes.buffer).setUint16(2 * at, text.charCodeAt(at), little)
  return bytes
}

describe('recorded text', () => {
  test('[recorded.1] stays as recorded in a file with LF', () => {
    expect(encodeLike(utf8('a\nb\n'), { before: 'a\n', after: 'a\nb\n' })).toEqual({
      kind: 'encoded',
      before: utf8('a\n'),
      after: utf8('a\nb\n'),
      lineEndingsNotRecorded: false,
    })
  })

  test('[recorded.1] gets CRLF in a file with CRLF, and that is reported', () => {
    expect(encodeLike(utf8('a\r\nb\r\n'), { before: 'a\n', after: 'a\nb\n' })).toEqual({
      kind: 'encoded',
      before: utf8('a\r\n'),
      after: utf8('a\r\nb\r\n'),
      lineEndingsNotRecorded: true,
    })
  })

  test('[recorded.2] mixed line ends stay with their lines, new lines get the most common one', () => {
    const present = utf8('a\r\nb\nc\r\nd')
    const encoded = encodeLike(present, { before: 'a\nx\nc\nd', after: 'a\nb\nc\nd' })
    expect(encoded).toMatchObject({
      before: utf8('a\r\nx\r\nc\r\nd'),
      after: present,
      lineEndingsNotRecorded: true,
    })
  })

  test('[recorded.1] recorded CRLF is kept', () => {
    expect(encodeLike(utf8('a\r\n'), { before: null, after: 'a\r\nb\n' })).toMatchObject({
      before: null,
      after: utf8('a\r\nb\n'),
      lineEndingsNotRecorded: false,
    })
  })

  test('[recorded.3] takes a byte order mark and UTF-16 from the file', () => {
    const bom = '\ufeff'
    expect(encodeLike(utf8(`${bom}é\n`), { before: 'ä\n', after: 'é\n' })).toMatchObject({
      before: utf8(`${bom}ä\n`),
    })
    for (const little of [true, false])
      expect(
        encodeLike(utf16(`${bom}é\r\n`, little), { before: 'ä😀\n', after: 'é\n' }),
      ).toMatchObject({
        before: utf16(`${bom}ä😀\r\n`, little),
        after: utf16(`${bom}é\r\n`, little),
      })
  })

  test('[recorded.4] a file in an unknown encoding is not rebuilt', () => {
    const latin = bytesOf('caf\u00e9\n')
    expect(encodeLike(latin, { before: 'cafe\n', after: 'caf\ufffd\n' })).toEqual({
      kind: 'not-representable',
      why: 'encoding',
    })
    expect(encodeLike(null, { before: '\ud800', after: null })).toEqual({
      kind: 'not-representable',
      why: 'text',
    })
  })

  test('[recorded.1] without a file, line ends are a guess, and that is reported', () => {
    expect(encodeLike(null, { before: 'a\n', after: null })).toMatchObject({
      before: utf8('a\n'),
      lineEndingsNotRecorded: true,
    })
  })

  test('[recorded.2] the file’s own text always encodes to its bytes', () => {
    const line = fc.tuple(fc.constantFrom('a', 'b', 'é', '}', ''), fc.constantFrom('\n', '\r\n'))
    const lines = fc.array(line, { maxLength: 12 })
    fc.assert(
      fc.property(lines, fc.constantFrom('', 'z'), (list, rest) => {
        const present = utf8(list.flat().join('') + rest)
        const text = list.map(([each]) => `${each}\n`).join('') + rest
        const encoded = encodeLike(present, { before: null, after: text })
        expect(encoded.kind).toBe('encoded')
        if (encoded.kind === 'encoded') expect(latin1(encoded.after!)).toBe(latin1(present))
      }),
      { numRuns: numRuns(1000) },
    )
  })
})
