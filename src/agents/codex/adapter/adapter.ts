import type { Agent } from '../../agent.ts'
import { codexSteps, isMeasured } from '../move/index.ts'
import { codexCapture } from '../hooks/index.ts'
import { findLiveProcesses, type OpenedRollout } from '../live/index.ts'
import { previewPatch, runRequirements, startRun } from '../run/index.ts'
import { cwdOf, describeThread, metaOf, readShelf } from '../session/index.ts'
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
    live: () => findLiveProcesses(home, (session) => openedRollout(home, session)),
    steps: codexSteps,
    overwritesMoves: false,
    capture: codexCapture(home),
    runner: {
      start: startRun,
      preview: previewPatch,
      namesSessions: true,
      supervise: null,
      ready: 'Codex is installed: Retake can run it.',
      missing: runRequirements,
    },
    versions: {
      isMeasured,
      openProofs: () => ({ of: () => 'no-trial', prove: async () => 'no-trial' }),
    },
  }
}

function openedRollout(home: string, session: string): OpenedRollout | null {
  const file = describeThread(readShelf(home), session)
  if (file === null) return null
  const isLocked = metaOf(file.path)?.isPaginated === true
  return { path: file.path, cwd: cwdOf(file), version: null, isLocked }
}
