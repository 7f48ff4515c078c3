import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import xterm from '@xterm/headless'
import type { Scene } from '../scene.ts'
import { readStyledLine, type StyledLine } from './styled-line.ts'
import { inPseudoTerminal } from './pseudo-terminal.ts'

const keys = {
  enter: '\r',
  escape: '\u001B',
  tab: '\t',
  'shift-tab': '\u001B[Z',
  backspace: '\u007F',
  up: '\u001B[A',
  down: '\u001B[B',
  right: '\u001B[C',
  left: '\u001B[D',
  'ctrl-c': '\u0003',
  'ctrl-d': '\u0004',
  'ctrl-o': '\u000F',
  'ctrl-r': '\u0012',
  'ctrl-u': '\u0015',
} as const

export type Key = keyof typeof keys

export interface TerminalOptions {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly rows?: number
  readonly columns?: number
}

/** Runs a program in a pseudo terminal and keeps its screen as a user would see it. */
export class Terminal {
  readonly #child: ChildProcess
  readonly #terminal: xterm.Terminal
  readonly #changed = new Set<() => void>()
  readonly #ended = Promise.withResolvers<number>()
  /** A file with the name of the pseudo terminal. */
  readonly #name: string
  readonly #scene: Scene
  #exitCode: number | undefined

  constructor(s: Scene, { command, cwd, env, rows = 50, columns = 120 }: TerminalOptions) {
    this.#scene = s
    this.#name = `${s.tmp}/${randomUUID()}.tty`
    this.#terminal = new xterm.Terminal({ rows, cols: columns, allowProposedApi: true })
    // Without a real terminal its window size is 0 × 0.
    const shell = `stty rows ${rows} cols ${columns}; tty > ${quote(this.#name)}; exec ${command.map(quote).join(' ')}`
    this.#child = s.processes.start(...inPseudoTerminal(shell), {
      cwd,
      env: { ...env, TERM: 'xterm-256color' },
    })
    this.#child.stdin?.on('error', () => {})
    this.#child.stdout?.on('data', (chunk: Uint8Array) => {
      this.#terminal.write(chunk, () => this.#notify())
    })
    // Programs query the terminal and wait for its answer.
    this.#terminal.onData((answer) => this.#child.stdin?.write(answer))
    this.#child.once('error', (error) => this.#ended.reject(error))
    this.#child.once('close', (code) => {
      // The last output may still be on its way to the screen.
      this.#terminal.write('', () => {
        this.#exitCode = code ?? -1
        this.#ended.resolve(this.#exitCode)
        this.#notify()
      })
    })
  }

  /** The visible lines, without trailing spaces. */
  screen(): string {
    const buffer = this.#terminal.buffer.active
    const lines: string[] = []
    for (let row = 0; row < this.#terminal.rows; row++)
      lines.push(buffer.getLine(buffer.baseY + row)?.translateToString(true) ?? '')
    // The agent's prompt ends in a no-break space, which patterns in tests would miss.
    return lines.join('\n').replaceAll('\u00A0', ' ').trimEnd()
  }

  /** The visible lines with their colours, and the cursor, for a picture of the screen. */
  styledLines(): StyledLine[] {
    const { active } = this.#terminal.buffer
    return Array.from({ length: this.#terminal.rows }, (_, row) =>
      readStyledLine(
        active.getLine(active.baseY + row),
        row === active.cursorY ? active.cursorX : -1,
      ),
    )
  }

  /** Waits until the screen shows `wanted`; the error contains the last screen. */
  async waitFor(
    wanted: RegExp | ((screen: string) => boolean),
    { timeoutMs = 60_000 }: { timeoutMs?: number } = {},
  ): Promise<void> {
    const met = Promise.withResolvers<void>()
    const look = (): void => {
      const screen = this.screen()
      if (typeof wanted === 'function' ? wanted(screen) : wanted.test(screen)) met.resolve()
      else if (this.#exitCode !== undefined)
        met.reject(new Error(`The program ended (${this.#exitCode}):\n${screen}`))
    }
    const timer = setTimeout(() => {
      met.reject(
        new Error(
          `The screen did not show ${String(wanted)} in ${timeoutMs} ms:\n${this.screen()}`,
        ),
      )
    }, timeoutMs)
    this.#changed.add(look)
    look()
    try {
      await met.promise
    } finally {
      clearTimeout(timer)
      this.#changed.delete(look)
    }
  }

  /**
   * Types text and waits until it is in the input box. An Enter sent together with the text would
   * count as a line break in pasted text.
   */
  async type(text: string): Promise<void> {
    this.#child.stdin?.write(text)
    await this.#untilBoxHas(text, true)
  }

  /** Types text, sends it, and waits until the input box is empty again. */
  async submit(text: string): Promise<void> {
    await this.type(text)
    await this.key('enter')
    await this.#untilBoxHas(text, false)
  }

  /**
   * Waits until the input box has this text, then clears it. Presses the key until the text is
   * gone: after a rewind the agent can draw its old prompt before it listens to keys.
   */
  async clear(text: string): Promise<void> {
    await this.#untilBoxHas(text, true)
    const isClear = (screen: string): boolean => !boxHas(screen, text)
    for (let press = 0; press < 40; press++) {
      await this.key('ctrl-u')
      if (await this.#shows(isClear, 500)) return
    }
    throw new Error(`The input box does not clear:\n${this.screen()}`)
  }

  /** Sends keys without waiting for anything. */
  press(text: string): void {
    this.#child.stdin?.write(text)
  }

  /** Resizes the window and notifies the program. */
  async resize({ rows, columns }: { rows: number; columns: number }): Promise<void> {
    this.#terminal.resize(columns, rows)
    const name = (await readFile(this.#name, 'utf8')).trim()
    await this.#scene.run('stty', ['-F', name, 'rows', String(rows), 'cols', String(columns)])
  }

  /** Whether the program is on the alternate screen. */
  get isAlternate(): boolean {
    return this.#terminal.buffer.active.type === 'alternate'
  }

  async key(name: Key): Promise<void> {
    this.#child.stdin?.write(keys[name])
    // Only a pause distinguishes Escape from the start of an arrow key or of Alt with a letter.
    if (name === 'escape') await sleep(100)
  }

  /**
   * Presses Ctrl-C until the program ends; the first press may only interrupt or clear. After
   * "press again to exit" it presses once and waits: a third press would kill the hooks that run at
   * the end.
   */
  async exit(): Promise<number> {
    for (let press = 0; press < 40 && this.#exitCode === undefined; press++) {
      await this.key('ctrl-c')
      const isAsked = await this.#shows(/again to exit/, 500)
      if (!isAsked) continue
      await this.key('ctrl-c')
      await Promise.race([this.#ended.promise, sleep(15_000, undefined, { ref: false })])
    }
    if (this.#exitCode === undefined) throw new Error(`The program does not end:\n${this.screen()}`)
    this.#terminal.dispose()
    return this.#exitCode
  }

  #untilBoxHas(text: string, has: boolean): Promise<void> {
    return this.waitFor((screen) => boxHas(screen, text) === has)
  }

  /** False if it ended or timed out without showing it. */
  async #shows(wanted: Parameters<Terminal['waitFor']>[0], timeoutMs: number): Promise<boolean> {
    const met = this.waitFor(wanted, { timeoutMs })
    return met.then(
      () => true,
      () => false,
    )
  }

  /** As if the user had closed its window. */
  close(): void {
    this.#child.kill('SIGKILL')
  }

  /** Waits until the program ends. */
  ended(): Promise<number> {
    return this.#ended.promise
  }

  #notify(): void {
    for (const look of this.#changed) look()
  }
}

/** The text between the last two rules of the screen; the whole screen if a dialog has no rules. */
function inputBox(screen: string): string {
  const parts = screen.split(/^─{20,}.*$/m)
  return parts.length < 3 ? screen : parts.at(-2)!
}

function boxHas(screen: string, text: string): boolean {
  return squeeze(inputBox(screen)).includes(squeeze(text).slice(-60))
}

function squeeze(text: string): string {
  return text.replaceAll(/\s+/g, '')
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`
}
