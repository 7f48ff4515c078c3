/**
 * `retake tui` in a pseudo terminal, on a session that the real agent wrote.
 *
 * ```ts
 * const t = openTui(p, { rows: 24, columns: 80 })
 * await t.shows(/\(current\)/)
 * t.press('u')
 * await t.shows(/Press y to continue/)
 * ```
 */
import { expect } from 'vitest'
import { Terminal, type Key } from '../agent/terminal.ts'
import type { Played } from '../operations/played.ts'
import { cli } from '../scene.ts'

export interface OpenedTui {
  readonly terminal: Terminal
  /** Presses keys one after the other. */
  press(text: string): void
  key(name: Key): Promise<void>
  shows(wanted: RegExp | ((screen: string) => boolean)): Promise<void>
  /** Types into the input line and sends it. */
  enter(text: string): Promise<void>
  /** Clears the input line and waits: a key right after it would be read together with this one. */
  clear(): Promise<void>
  /** The turns in the right pane. */
  turns(): string[]
  quit(): Promise<void>
}

export function openTui(
  { s, agent, id }: Pick<Played, 's' | 'agent' | 'id'>,
  {
    env = {},
    args = [],
    ...size
  }: { rows?: number; columns?: number; env?: Record<string, string>; args?: string[] } = {},
): OpenedTui {
  const terminal = new Terminal(s, {
    command: [process.execPath, cli, 'tui', '--session', id, ...args],
    cwd: s.project,
    env: { ...agent.env, ...env },
    rows: 30,
    columns: 100,
    ...size,
  })
  const shows: OpenedTui['shows'] = (wanted) => terminal.waitFor(wanted)
  return {
    terminal,
    press: (text) => terminal.press(text),
    key: (name) => terminal.key(name),
    shows,
    async enter(text) {
      terminal.press(text)
      const end = text.slice(-30)
      await shows((screen) => inputLine(screen).endsWith(end))
      await terminal.key('enter')
      await shows((screen) => !inputLine(screen).endsWith(end))
    },
    async clear() {
      await terminal.key('ctrl-u')
      await shows((screen) => inputLine(screen).trim() === '>')
    },
    turns: () =>
      terminal
        .screen()
        .split('\n')
        .flatMap((line) => /│\s*❯?\s*([●◉◌○] .*|← \(current\))/.exec(line)?.[1] ?? [])
        .map((text) => text.replaceAll(/\s+/g, ' ').trim()),
    async quit() {
      await terminal.key('ctrl-c')
      expect(await terminal.ended()).toBe(0)
    },
  }
}

/** The line above the keys. */
export function inputLine(screen: string): string {
  return screen.split('\n').at(-2) ?? ''
}
