import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { ReadStream, WriteStream } from 'node:tty'
import { openTerminal } from '#disk'
import type { Supervised } from './supervised.ts'

/** Ctrl-R and Esc, in the plain encoding and in the protocol that tells all keys apart. */
const REOPEN = new Set(['\u0012', '\u001B[114;5u'])
const STAY = new Set(['\u001B', '\u001B[27u'])
/** Keys pressed just as a question appears are not meant for it. */
const GRACE_MS = 500

export interface Question {
  /** Shown while keys are still discarded. */
  readonly announcement: string
  /** Names the keys that answer. */
  readonly text: string
}

/**
 * Asks in the agent's own terminal whether Retake may close the agent. The agent is suspended
 * meanwhile: its screen and its input box stay as they are, and it gets none of the keys. Enter is
 * not an answer, because a user who was typing may be about to press it.
 */
export async function askInTerminal(
  { tty, process: { pid } }: Supervised,
  { announcement, text }: Question,
): Promise<boolean> {
  if (tty === null) return false
  const input = new ReadStream(openTerminal(tty))
  const output = new WriteStream(openTerminal(tty))
  // The terminal may be closed as soon as its keys are read, also before they count.
  const gone = new AbortController()
  for (const event of ['close', 'error']) input.once(event, () => gone.abort())
  const [columns] = output.getWindowSize()
  const show = (line: string): void => {
    output.write(`\u001B7\u001B[999;1H\u001B[2K\u001B[7m${line.slice(0, columns)}\u001B[0m\u001B8`)
  }
  using guard = stopProcess(pid)
  try {
    show(announcement)
    const discard = (): void => {}
    input.on('data', discard)
    await sleep(GRACE_MS)
    show(text)
    input.off('data', discard)
    return await readAnswer(input, gone.signal)
  } finally {
    input.destroy()
    output.destroy()
    guard.resume()
  }
}

async function readAnswer(input: ReadStream, signal: AbortSignal): Promise<boolean> {
  try {
    for (;;) {
      const [keys] = (await once(input, 'data', { signal })) as [Buffer]
      const text = keys.toString('latin1')
      if (REOPEN.has(text)) return true
      if (STAY.has(text)) return false
    }
  } catch {
    // The terminal was closed.
    return false
  }
}

/**
 * Suspends a process until `resume`, or until this process has ended for any reason: a shell waits
 * for the end of its input. It must not outlive the question, or it would resume the agent in the
 * middle of the next one.
 */
function stopProcess(pid: number): Disposable & { resume(): void } {
  const guard = spawn('/bin/sh', ['-c', 'read -r _; kill -CONT "$1"', 'sh', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  process.kill(pid, 'SIGSTOP')
  const resume = (): void => {
    guard.kill('SIGKILL')
    try {
      process.kill(pid, 'SIGCONT')
    } catch {
      // It was killed meanwhile.
    }
  }
  return { resume, [Symbol.dispose]: resume }
}
