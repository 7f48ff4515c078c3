/**
 * A shell in a window of a real tmux, and its visible screen.
 *
 * ```ts
 * await using window = await openTmux(s, { env, rows: 24, columns: 80 })
 * await window.type('retake tui', 'Enter')
 * await window.shows(/\(current\)/)
 * ```
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Scene } from '../scene.ts'

export interface TmuxWindow extends AsyncDisposable {
  screen(): Promise<string>
  /** The screen with colours, as escape sequences. */
  painted(): Promise<string>
  shows(wanted: RegExp | ((screen: string) => boolean)): Promise<void>
  /** Types literal text, then a key by its tmux name. */
  type(text: string, key?: string): Promise<void>
  key(name: string): Promise<void>
  resize(size: { readonly rows: number; readonly columns: number }): Promise<void>
}

const POLL_MS = 50
const TIMEOUT_MS = 30_000

export async function openTmux(
  s: Scene,
  { env, rows, columns }: { env: Readonly<Record<string, string>>; rows: number; columns: number },
): Promise<TmuxWindow> {
  const socket = `${s.tmp}/tmux.sock`
  const tmux = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await s.run(
      'tmux',
      ['-S', socket, '-f', '/dev/null', ...args],
      {
        env: { ...env, TERM: 'xterm-256color' },
      },
    )
    if (code !== 0) throw new Error(`tmux ${args[0]} failed: ${stderr}`)
    return stdout
  }
  const size = ['-x', String(columns), '-y', String(rows)]
  await tmux('new-session', '-d', ...size, '-c', s.project, "PS1='shell> ' exec sh -i")
  const screen = async (): Promise<string> => (await tmux('capture-pane', '-p')).trimEnd()
  return {
    screen,
    painted: () => tmux('capture-pane', '-p', '-e'),
    async shows(wanted) {
      const fits = (text: string): boolean =>
        typeof wanted === 'function' ? wanted(text) : wanted.test(text)
      let seen = await screen()
      for (const until = Date.now() + TIMEOUT_MS; !fits(seen); seen = await screen()) {
        if (Date.now() > until) expect.fail(`The window never showed ${String(wanted)}:\n${seen}`)
        await sleep(POLL_MS)
      }
    },
    async type(text, key) {
      await tmux('send-keys', '-l', text)
      if (key !== undefined) await tmux('send-keys', key)
    },
    async key(name) {
      await tmux('send-keys', name)
    },
    async resize(to) {
      await tmux('resize-window', '-x', String(to.columns), '-y', String(to.rows))
    },
    async [Symbol.asyncDispose]() {
      await tmux('kill-server')
    },
  }
}
