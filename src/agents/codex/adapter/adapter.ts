import type { Agent } from '../../agent.ts'
import { codexSteps, isMeasured } from '../move/index.ts'
import { NAME } from '../steps/index.ts'
import { DIRECTORY } from './environment.ts'
import { sessionsIn } from './sessions.ts'
import { toPort } from './to-port.ts'
import { words } from './words.ts'

export function codex(home: string): Agent {
  return {
    name: NAME,
    words,
    directories: [{ name: 'codexHome', path: home, variable: DIRECTORY }],
    sessions: sessionsIn(home, toPort),
    live: () => null,
    steps: codexSteps,
    overwritesMoves: false,
    capture: null,
    runner: null,
    versions: {
      isMeasured,
      openProofs: () => ({ of: () => 'no-trial', prove: async () => 'no-trial' }),
    },
  }
}
