import { execFileSync, spawn } from 'node:child_process'

/** Leaves the alternate screen, shows the cursor, ends the bracketing of pasted text. */
const CLEAN = String.raw`\033[?2004l\033[?1049l\033[?25h\033[0m`

/** The shell may have printed its prompt on the screen that goes: this line says how to see it. */
const SAID = String.raw`\r\nRetake was killed. The terminal is restored: press Enter.\r\n`

/**
 * A shell that waits for this process to end, however it does, and puts the terminal right when it
 * was not told that all is well: after `kill -9` no line of ours runs any more, and a terminal in
 * raw mode on the wrong screen looks like a broken one.
 */
export function guardTerminal(): Disposable {
  const saved = execFileSync('stty', ['-g'], {
    encoding: 'utf8',
    stdio: ['inherit', 'pipe', 'ignore'],
  }).trim()
  const script = [
    // Who is not in the foreground any more is stopped when it sets the terminal, unless it ignores that.
    `trap '' TTOU HUP INT QUIT TERM`,
    // The screen last: once it changes, users type, and the terminal must be right by then.
    `read -r told || { stty '${saved}' </dev/tty; printf '${CLEAN}${SAID}' >/dev/tty; }`,
  ].join('\n')
  const guard = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] })
  guard.unref()
  // A guard that could not be started, or was killed, is no reason to fail.
  guard.on('error', () => {})
  guard.stdin.on('error', () => {})
  const tell = (): void => void guard.stdin.end('all is well\n')
  // After an error that nobody caught the screen is left by its own exit handler.
  process.once('exit', tell)
  return {
    [Symbol.dispose]() {
      process.off('exit', tell)
      tell()
    },
  }
}
