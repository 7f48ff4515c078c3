import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Terminal } from '../agent/terminal.ts'
import { root } from '../docs/document.ts'
import { openShop } from '../docs/run-document.ts'
import { drawRecording, type Frame } from './draw-recording.ts'
import { SCREENPLAY, WINDOW } from './screenplay.ts'

const KEY_MS = 35

/**
 * Records the terminal for the README. The commands run in a real pseudo terminal, in the project
 * of `retake demo`; only typing speed and pauses are set here.
 */
export async function record(): Promise<void> {
  await using shop = await openShop()
  const terminal = new Terminal(shop.s, {
    command: ['bash', '--norc', '--noprofile'],
    cwd: shop.project,
    env: { ...shop.env, PS1: '$ ' },
    rows: WINDOW.rows,
    columns: WINDOW.columns,
  })
  const frames: Frame[] = []
  const show = (ms: number): void => void frames.push({ lines: terminal.styledLines(), ms })
  const waitForLine = (wanted: RegExp): Promise<void> =>
    terminal.waitFor((screen) => wanted.test(screen.split('\n').at(-1)!))

  await waitForLine(/^\$$/)
  show(600)
  for (const { type, until = /^\$$/, pause } of SCREENPLAY) {
    for (let n = 0; n < type.length; n += 1) {
      terminal.press(type[n]!)
      // The screen is trimmed, so a typed space shows only with the next key.
      const typed = type.slice(0, n + 1).trimEnd()
      await terminal.waitFor((screen) => screen.endsWith(typed))
      show(KEY_MS)
    }
    show(300)
    terminal.press('\r')
    await waitForLine(until)
    show(pause)
  }
  for (const theme of ['light', 'dark'] as const)
    writeFileSync(
      join(root, `docs/pictures/recording-${theme}.svg`),
      drawRecording(frames, WINDOW, theme),
    )
  await terminal.key('ctrl-d')
  await terminal.ended()
}

if (import.meta.main) await record()
