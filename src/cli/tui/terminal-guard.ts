import { execFileSync, spawn } from 'node:child_process'

/** Ends bracketed paste, leaves the alternate screen, shows the cursor and resets colours. */
const CLEAN = String.raw`\033[?2004l\033[?1049l\033[?25h\033[0m`

/**
 * The shell's prompt may be lost with the alternate screen; this line says how to get a new one.
 */
const MESSAGE = String.raw`\r\nRetake was killed. The terminal is restored: press Enter.\r\n`

/**
 * Starts a shell that waits until this process ends, and restores the terminal if the end was not
 * clean. After `kill -9` no code of ours runs, and a terminal left in raw mode on the alternate
 * screen looks broken.
 */
export function guardTerminal(): Disposable {
  const saved = execFileSync('stty', ['-g'], {
    encoding: 'utf8',
    stdio: ['inherit', 'pipe', 'ignore'],
  }).trim()
  const script = [
    // A background process that sets the terminal is stopped by SIGTTOU unless it ignores that.
    `trap '' TTOU HUP INT QUIT TERM`,
    // The screen last: users type as soon as it changes, so the modes must be right by then.
    `read -r told || { stty '${saved}' </dev/tty; printf '${CLEAN}${MESSAGE}' >/dev/tty; }`,
  ].join('\n')
  const guard = spawn('sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'] })
  guard.unref()
  // The TUI works without a guard, so ignore its errors.
  guard.on('error', () => {})
  guard.stdin.on('error', () => {})
  const tell = (): void => void guard.stdin.end('all is well\n')
  // After an uncaught error, Ink's own exit handler leaves the screen.
  process.once('exit', tell)
  return {
    [Symbol.dispose]() {
      process.off('exit', tell)
      tell()
    },
  }
}
