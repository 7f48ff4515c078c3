import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { claudeCode } from '../agent/index.ts'
import { answerFirstRunDialogs } from '../agent/interactive.ts'
import { Terminal } from '../agent/terminal.ts'
import { root } from '../docs/document.ts'
import { boxOf } from '../inplace/supervised.ts'
import { scriptedModel, write } from '../model/index.ts'
import { cli, scene, type Scene } from '../scene.ts'
import { drawRecording, type Frame, type Window } from './draw-recording.ts'

const KEY_MS = 35

const WINDOW: Window = {
  title: '~/shop',
  description:
    'Claude Code under `retake claude`. It writes a file for one prompt and another for the next. `/retake:undo` removes the second file, and Claude Code is back at the first turn, with the second prompt in the input box. The user edits it and sends it again.',
  rows: 30,
  columns: 84,
}

const FIRST = 'Greet the visitors of the shop'
const SECOND = 'Show the price in dollars'

/** Records an undo under `retake claude`, with the real agent and a scripted model. */
export async function recordInPlace(): Promise<void> {
  await using s = await scene()
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  model.on(FIRST, [write('greet.ts', "greet('Welcome to the shop')\n"), 'Visitors are greeted.'])
  model.on(SECOND, [write('price.ts', "show('$ 12.00')\n"), 'Prices are in dollars.'])
  model.on(`${SECOND} and euros`, [
    write('price.ts', "show('$ 12.00', '€ 11.00')\n"),
    'Prices are in dollars and euros.',
  ])
  const cwd = join(s.home, 'shop')
  await mkdir(cwd)
  await answerFirstRunDialogs({ s, cwd, apiKey: agent.env['ANTHROPIC_API_KEY'] ?? '' })
  await s.retake('install')
  const terminal = new Terminal(s, {
    command: ['bash', '--norc', '--noprofile'],
    cwd,
    env: {
      ...agent.env,
      PATH: `${await writePrograms(s, agent.binary)}:${agent.env['PATH']}`,
      PS1: '$ ',
    },
    rows: WINDOW.rows,
    columns: WINDOW.columns,
  })
  const frames: Frame[] = []
  const show = (ms: number): void => void frames.push({ lines: terminal.styledLines(), ms })
  const type = async (text: string): Promise<void> => {
    for (const key of text) {
      const before = terminal.screen()
      terminal.press(key)
      // The screen is trimmed, so a typed space changes nothing.
      if (key !== ' ') await terminal.waitFor((screen) => screen !== before)
      show(KEY_MS)
    }
    show(400)
    terminal.press('\r')
  }

  await terminal.waitFor(/^\$$/m)
  show(600)
  await type('retake claude')
  await terminal.waitFor((screen) => /accept edits on/.test(screen) && boxOf(screen) === '')
  show(1000)
  for (const [prompt, answer] of [
    [FIRST, 'Visitors are greeted.'],
    [SECOND, 'Prices are in dollars.'],
  ] as const) {
    await type(prompt)
    await terminal.waitFor((screen) => screen.includes(answer) && boxOf(screen) === '')
    show(1800)
  }
  await type('/retake:undo')
  await terminal.waitFor((screen) => boxOf(screen) === SECOND && /reopened at turn 1/.test(screen))
  show(4000)
  await type(' and euros')
  await terminal.waitFor((screen) => screen.includes('dollars and euros.') && boxOf(screen) === '')
  show(5000)
  for (const theme of ['light', 'dark'] as const)
    await writeFile(
      join(root, `docs/pictures/in-place-${theme}.svg`),
      drawRecording(frames, WINDOW, theme),
    )
  await terminal.exit().catch(() => {})
}

/** A `retake` and a `claude` as a user has them, with the options of this recording. */
async function writePrograms(s: Scene, claude: string): Promise<string> {
  const bin = join(s.tmp, 'bin')
  await mkdir(bin)
  const plugin = fileURLToPath(new URL('../../plugins/retake', import.meta.url))
  const settings = JSON.stringify({ prefersReducedMotion: true })
  const programs = {
    retake: `exec '${process.execPath}' '${cli}' "$@"`,
    claude: `exec '${claude}' --permission-mode acceptEdits --settings '${settings}' --plugin-dir '${plugin}' "$@"`,
  }
  for (const [name, line] of Object.entries(programs))
    await writeFile(join(bin, name), `#!/bin/sh\n${line}\n`, { mode: 0o755 })
  return bin
}

if (import.meta.main) {
  await recordInPlace()
  process.exit()
}
