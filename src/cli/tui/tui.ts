import { constants } from 'node:os'
import { createElement } from 'react'
import { render } from 'ink'
import { Failure } from '#failure'
import type { Context } from '../context.ts'
import { makePaint } from '../text/paint.ts'
import { onScreen } from './key-words.ts'
import { guardTerminal } from './terminal-guard.ts'
import { openPerformer } from './perform.ts'
import { reduce } from './reduce.ts'
import { Screen } from './screen.ts'
import { firstState, type TuiEvent, type State } from './state.ts'

/** Runs the TUI until the user quits: events are reduced to a state, and the state is drawn. */
export async function runTui(context: Context): Promise<void> {
  if (!context.interactive || !process.stdout.isTTY)
    throw new Failure('usage', '`tui` needs a terminal.', {
      hint: 'Without one, use `retake log` and the other commands.',
    })
  let state: State = firstState
  const paint = makePaint({ ...context.environment, wording: onScreen })
  const ended = Promise.withResolvers<void>()
  const tell = (event: TuiEvent): void => {
    const step = reduce(state, event)
    state = step.state
    draw()
    for (const effect of step.effects)
      if (effect.do === 'quit') ended.resolve()
      else performer.perform(effect).catch(ended.reject)
  }
  const element = () =>
    createElement(Screen, {
      paint,
      state,
      onKey: (key) => tell({ type: 'key', key }),
      onPaste: (text) => tell({ type: 'pasted', text }),
    })
  let draw = (): void => {}
  const performer = openPerformer(context, tell)
  performer.load()
  const guard = guardTerminal()
  // Before the first frame, or the terminal would echo typed keys into the drawing.
  process.stdin.setRawMode(true)
  const ink = render(element(), {
    exitOnCtrlC: false,
    alternateScreen: true,
    incrementalRendering: true,
    patchConsole: false,
  })
  draw = () => ink.rerender(element())
  const signals = onSignals(ended.resolve)
  try {
    await Promise.race([ended.promise, ink.waitUntilExit()])
  } finally {
    ink.unmount()
    process.stdin.setRawMode(false)
    guard[Symbol.dispose]()
    await performer.close()
    signals[Symbol.dispose]()
  }
}

/** On SIGTERM and SIGHUP, ends as on `q`: stops a running turn and restores the terminal. */
function onSignals(end: () => void): Disposable {
  const stops = (['SIGTERM', 'SIGHUP'] as const).map((signal) => {
    const stop = (): void => {
      process.exitCode = 128 + constants.signals[signal]
      end()
    }
    process.on(signal, stop)
    return () => void process.off(signal, stop)
  })
  return { [Symbol.dispose]: () => stops.forEach((stop) => stop()) }
}
