import { createElement, useEffect, useState, type ReactNode } from 'react'
import { Box, Text, useCursor, useInput, usePaste, useWindowSize, type Key as InkKey } from 'ink'
import type { Paint } from '../text/paint.ts'
import { drawScreen } from './draw/draw-screen.ts'
import type { Key } from './key.ts'
import type { State } from './state.ts'

/** Draws the state; passes keys and pasted text on to the reducer. */
export interface ScreenProps {
  readonly paint: Paint
  readonly state: State
  readonly onKey: (key: Key) => void
  readonly onPaste: (text: string) => void
}

export function Screen({ paint, state, onKey, onPaste }: ScreenProps): ReactNode {
  const { columns, rows } = useWindowSize()
  const now = useMinutes()
  useInput((input, key) => {
    for (const each of keysOf(input, key)) onKey(each)
  })
  usePaste(onPaste)
  const { setCursorPosition } = useCursor()
  const { lines, cursor } = drawScreen(state, { columns, rows, paint, now })
  setCursorPosition(cursor ?? undefined)
  return createElement(
    Box,
    { flexDirection: 'column', width: columns, height: rows },
    ...lines.map((line, i) =>
      // An empty text has no height, so the lines below it would move up.
      createElement(Text, { key: i, wrap: 'truncate-end' }, line === '' ? ' ' : line),
    ),
  )
}

/** Redraws every minute, so that ages stay right without input. */
function useMinutes(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 60_000)
    return () => clearInterval(timer)
  }, [])
  return now
}

/** Input can hold several characters if the user types faster than the screen is drawn. */
function keysOf(input: string, key: InkKey): readonly Key[] {
  if (key.ctrl) return input === 'c' || input === 'u' ? [{ name: `ctrl-${input}` }] : []
  const name = NAMES.find(([flag]) => key[flag])?.[1]
  if (key.tab && key.shift) return [{ name: 'back-tab' }]
  if (name !== undefined) return [{ name }]
  // Alt with a letter must not type the letter.
  if (key.meta) return []
  return Array.from(input).flatMap((text): Key[] => {
    const control = CONTROLS[text]
    if (control !== undefined) return [{ name: control }]
    return text < ' ' ? [] : [{ name: 'char', text }]
  })
}

const CONTROLS: Readonly<Record<string, Exclude<Key['name'], 'char'>>> = {
  '\r': 'enter',
  '\n': 'enter',
  '\t': 'tab',
  '\u0003': 'ctrl-c',
  '\u0008': 'backspace',
  '\u0015': 'ctrl-u',
  '\u007F': 'backspace',
}

const NAMES: readonly (readonly [keyof InkKey, Exclude<Key['name'], 'char'>])[] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'page-up'],
  ['pageDown', 'page-down'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  ['tab', 'tab'],
  ['backspace', 'backspace'],
  ['delete', 'delete'],
]
