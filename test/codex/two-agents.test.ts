import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { codex } from '../agent/codex.ts'
import { claudeCode, helloSession } from '../agent/index.ts'
import { edit, responsesModel, scriptedModel, updateFile } from '../model/index.ts'
import { needs } from '../needs.ts'
import { scene, type Scene } from '../scene.ts'
import { recordedFacts, recordedHome } from './recorded-home.ts'

interface Listed {
  readonly sessions: readonly { readonly id: string; readonly agent: string }[]
}

test('[port] sessions of two agents are in one list, which can show those of one', async () => {
  await using s = await scene()
  const hello = await helloSession(s)
  using recorded = recordedHome('0.166.0')
  cpSync(recorded.home, join(s.home, '.codex'), { recursive: true })
  const read = async (...args: string[]): Promise<Listed['sessions']> =>
    (JSON.parse((await s.retake('sessions', '--all', '--json', ...args)).stdout) as Listed).sessions
  const all = await read()
  const own = all.filter(({ agent }) => agent === 'codex').map(({ id }) => id)
  expect(all.map(({ id }) => id)).toContain(hello)
  expect(own).toContain(recordedFacts('0.166.0').scenarios['plain'])
  expect((await read('--agent', 'codex')).map(({ id }) => id)).toEqual(own)
  expect((await read('--agent', 'Claude')).map(({ id }) => id)).toEqual([hello])
  const { stdout } = await s.retake('sessions', '--all')
  expect(stdout).toMatch(/Codex +one/)
  expect(stdout).toMatch(/Claude/)
  // Every short id names one session.
  const short = [...stdout.matchAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4})?\b/g)].map(([id]) => id)
  expect(new Set(short).size).toBe(all.length)
  const unknown = await s.retake('sessions', '--agent', 'nobody')
  expect(unknown.code).not.toBe(0)
  expect(unknown.stderr).toContain('claude-code and codex')
})

test('[port] a list without sessions of one agent says so, and where those of others are; losses are of that agent too', async () => {
  await using s = await scene()
  using recorded = recordedHome('0.166.0')
  cpSync(recorded.home, join(s.home, '.codex'), { recursive: true })
  const said = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await s.retake('sessions', ...args)
    expect(code, stderr).toBe(0)
    return stdout + stderr.replaceAll(s.root, '/ROOT')
  }
  expect(await said('--all', '--agent', 'claude-code')).toBe(
    'There are no Claude Code sessions on this machine.\n' +
      'Run `retake sessions --all` to list the sessions of every agent.\n',
  )
  expect(await said('--agent', 'claude')).toBe(
    'There are no Claude Code sessions for /ROOT/project.\n' +
      'Run `retake sessions --all` to list the sessions of other projects and agents.\n',
  )
  const { scenarios, threads } = recordedFacts('0.166.0')
  const plain = scenarios['plain']!
  expect((await s.retake('log', '--session', plain)).code).toBe(0)
  rmSync(join(s.home, '.codex', threads.find(({ id }) => id === plain)!.rollout_path))
  expect(await said('--all', '--agent', 'codex')).toContain('was deleted')
  expect(await said('--all', '--agent', 'claude')).not.toContain('was deleted')
})

// A unique line between two that change: changes of touching lines conflict (sem.M3).
const LINES = ['(a)', '1', '(b)', '2', '(c)', '3', '(d)', '4', '(e)', '5', '(f)']
const FILES = ['one.txt', 'two.txt'] as const

/** One act: an agent changes a line of its own, or the newest turn of an agent is undone or redone. */
type Act = readonly ['turn' | 'undo' | 'redo', 'claude' | 'codex', file: number, line: number]

const acts = fc.array(
  fc.tuple(
    fc.constantFrom('turn' as const, 'turn' as const, 'undo' as const, 'redo' as const),
    fc.constantFrom('claude' as const, 'codex' as const),
    fc.nat(FILES.length - 1),
    fc.nat(2),
  ),
  { minLength: 6, maxLength: 9 },
)

/** What the files have to be: each agent changes lines of its own, so undo never takes the other's. */
interface Expected {
  readonly done: { file: number; line: number; before: string; after: string }[]
  readonly undone: { file: number; line: number; before: string; after: string }[]
}

const SEED = Number(process.env['SEED'] ?? 26)
const RUNS = Number(process.env['RUNS'] ?? 1)

needs('codex')(
  '[port] undo and redo in a session of one agent keep what the other agent did to the same files',
  async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (list) => {
        await using s = await scene({
          files: Object.fromEntries(FILES.map((file) => [file, `${LINES.join('\n')}\n`])),
          git: true,
        })
        await using claudes = await scriptedModel()
        await using codexes = await responsesModel()
        const agents = { claude: claudeCode(s, claudes), codex: codex(s, codexes) }
        const sessions: { claude?: string; codex?: string } = {}
        const lines = FILES.map(() => [...LINES])
        const known: Record<'claude' | 'codex', Expected> = {
          claude: { done: [], undone: [] },
          codex: { done: [], undone: [] },
        }
        let n = 0
        const say = async (who: 'claude' | 'codex', prompt: string): Promise<void> => {
          const resume = sessions[who]
          const options = resume === undefined ? {} : { resume }
          if (who === 'codex') sessions.codex = (await agents.codex.prompt(prompt, options)).session
          else sessions.claude = (await agents.claude.prompt(prompt, options)).sessionId
        }
        for (const who of ['claude', 'codex'] as const) await say(who, `start ${who}`)
        const play = async ([kind, who, file, at]: Act): Promise<void> => {
          const line = at * 4 + (who === 'claude' ? 0 : 2)
          const { done, undone } = known[who]
          if (kind === 'turn') {
            const [before, after] = [lines[file]![line]!, `(${who} ${++n})`]
            const prompt = `change ${n}`
            claudes.on(prompt, [edit(FILES[file]!, before, after), 'ok'])
            codexes.on(prompt, [updateFile(FILES[file]!, `${before}\n`, `${after}\n`), 'ok'])
            await say(who, prompt)
            lines[file]![line] = after
            done.push({ file, line, before, after })
            undone.length = 0
            return
          }
          const moved = kind === 'undo' ? done.pop() : undone.pop()
          if (moved === undefined) return
          const run = await s.retake(kind, '--session', sessions[who]!, '--json', '--yes')
          expect(run.code, run.stdout + run.stderr).toBe(0)
          lines[moved.file]![moved.line] = kind === 'undo' ? moved.before : moved.after
          if (kind === 'undo') undone.push(moved)
          else done.push(moved)
        }
        for (const act of list) {
          await play(act)
          expect(await contents(s), JSON.stringify(list)).toEqual(
            lines.map((each) => `${each.join('\n')}\n`),
          )
        }
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    )
  },
)

async function contents(s: Scene): Promise<string[]> {
  return Promise.all(FILES.map((file) => s.read(file)))
}
