import { expect, test } from 'vitest'
import type { Span } from '../agent/styled-line.ts'
import { drawRecording, type Frame } from './draw-recording.ts'

const WINDOW = { title: '~/shop', description: 'A & B', rows: 2, columns: 20 }

function span(text: string, style: Partial<Span> = {}): Span {
  return {
    column: 0,
    text,
    colour: null,
    bold: false,
    dim: false,
    inverse: false,
    cursor: false,
    ...style,
  }
}

const frames: Frame[] = [
  { lines: [[span('$ ls <a>')]], ms: 1000 },
  {
    lines: [[span('$ ls <a>')], [span('●', { colour: 2 }), span(' done', { column: 1 })]],
    ms: 3000,
  },
]

test.for(['light', 'dark'] as const)(
  '%s: a line is drawn once and stays until it changes',
  (theme) => {
    const picture = drawRecording(frames, WINDOW, theme)
    expect(picture.match(/\$ ls &lt;a&gt;/g)).toHaveLength(1)
    expect(picture).toContain('@keyframes k0{0%{visibility:visible}}')
    expect(picture).toContain('@keyframes k1{0%{visibility:hidden}25%{visibility:visible}}')
    expect(picture).toContain('animation:k1 4s step-end infinite')
    expect(picture).toContain('prefers-reduced-motion')
    expect(picture).not.toMatch(/&(?!amp;|lt;|gt;)/)
  },
)

test('each span is drawn at its column, in the width of its cells', () => {
  const picture = drawRecording(frames, WINDOW, 'dark')
  expect(picture).toMatch(
    /<text class="c2" x="14" y="\d+">●<\/text><text x="22" y="\d+" textLength="40">/,
  )
})

test('a line that is gone at the end is hidden without animation', () => {
  const gone = [...frames, { lines: [[span('$')]], ms: 1000 }]
  expect(drawRecording(gone, WINDOW, 'light')).toMatch(/\.k\d\{visibility:hidden;animation/)
})
