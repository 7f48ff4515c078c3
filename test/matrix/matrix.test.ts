import { expect, test } from 'vitest'
import { sessions } from './sessions.ts'
import { Walk } from './stage.ts'

/**
 * Each line is a session that the real agent played, and a walk through it. After every step the
 * agent resumes, headless or in its TUI, and must send exactly the conversation that it had after
 * the turn named after `=`. The files must be those of that moment, byte for byte, and the
 * transcript may only have grown; not even that if a branch was made.
 */
const MATRIX = `
plain                  | undo = T2 (screen), rewind 1 = T1, say N1, switch main = T3, branch 2 = T2
parallel tools         | rewind 1 = T1, redo --all = T3, undo = T2
subagents              | rewind 1 = T1, redo = T2, branch 1 = T1
interrupted and queued | undo = T2, undo = T1, redo --all = T3
compacted by hand      | undo = T4, rewind 1 = T1 (screen), redo 2 = T3, redo --all = T5, rewind 2 = T2, say N1, switch main = T5
compacted by itself    | undo = T4, undo = T3, rewind 1 = T1, switch main = T5, branch 2 = T2
compacted twice        | rewind 1 = T1, redo = T2, redo --all = T4
summarized from here   | undo = summary, redo = T4, switch main = T3, rewind 2 = T2, undo = T1
`

/** Longer walks, which other versions of the agent must pass too. */
const WHOLE = `
plain                  | undo = T2, undo = T1, redo = T2, redo --all = T3, rewind 1 = T1, say N1, undo = T1, redo = N1, switch main = T3
plain                  | branch 2 = T2, op undo = T3, branch 1 = T1, redo --all --only files = T3
parallel tools         | undo = T2, undo = T1, redo --all = T3, rewind 2 = T2, say N1, switch main = T3, branch 2 = T2
compacted by hand      | undo = T4, rewind 2 = T2, rewind 1 = T1, redo 2 = T3, redo = T4, redo = T5, rewind 2 = T2, say N1, undo = T2, redo = N1, switch main = T5
compacted by hand      | branch 2 = T2, op undo = T5, rewind 1 = T1, branch 4 = T4
compacted twice        | undo = T3, undo = T2, undo = T1, redo = T2, redo --all = T4, rewind 1 = T1, say N1, switch main = T4
`

const table = process.env['MATRIX'] === 'whole' ? WHOLE : MATRIX

for (const line of table.trim().split('\n')) {
  const [name, walk] = line.split('|').map((part) => part.trim())
  test(`[G8][W2][W3][W6][W15] ${name}: ${walk}`, async () => {
    await using stage = await Walk.begin({ a: '1\n', keep: 'untouched\n' })
    await sessions[name!]!(stage.player)
    await stage.go(walk!)
    expect(await stage.s.read('keep')).toBe('untouched\n')
  })
}
