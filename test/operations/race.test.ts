import { type Dirent, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { ErrorView } from '#protocol'
import { parseView } from '../cli/schemas.ts'
import { cli } from '../scene.ts'
import { edit, write } from '../model/index.ts'
import { type Played, played, playedOnce } from './played.ts'

const lines = (...each: string[]): string => `${each.join('\n')}\n`
const four = {
  files: { a: lines('1', 'a', '2', 'b', '3', 'c', '4') },
  turns: {
    T1: [edit('a', '1', 'one'), 'did T1'],
    T2: [[edit('a', '2', 'two'), write('b2', '2\n')], 'did T2'],
    T3: [[edit('a', '3', 'three'), write('b3', '3\n')], 'did T3'],
    T4: [[edit('a', '4', 'four'), write('b4', '4\n')], 'did T4'],
  },
} as const

/** How many of the four turns the files contain; fails for any state that no turn left. */
async function turnsInFiles(p: Played): Promise<number> {
  const words = ['one', 'two', 'three', 'four']
  const { a, b2, b3, b4 } = (await p.files()) as Record<string, string>
  for (let n = 0; n <= 4; n++) {
    const text = lines(
      ...[1, 2, 3, 4].flatMap((i) => [
        i <= n ? words[i - 1]! : String(i),
        ...(i < 4 ? ['abc'[i - 1]!] : []),
      ]),
    )
    const made = [b2, b3, b4].map((each) => each !== undefined)
    if (a === text && made.every((is, i) => is === n >= i + 2)) return n
  }
  throw new Error(`a mixture: ${JSON.stringify({ a, b2, b3, b4 })}`)
}

test('[FT10][R7] two concurrent undos each undo their own turn, or one is refused; never a mixture', async () => {
  await using p = await played(four)
  const undo = async (...more: string[]) => {
    const { code, stdout } = await p.s.retake('undo', '--session', p.id, '--json', ...more, {})
    return { code, said: parseView<Partial<ErrorView>>(stdout) }
  }
  const both = await Promise.all([undo(), undo()])
  const done = both.filter(({ code }) => code === 0).length
  expect(await turnsInFiles(p)).toBe(4 - done)
  expect((await p.status()).head).toMatchObject({ number: 4 - done })
  for (const { code, said } of both)
    if (code !== 0) expect(said.code).toMatch(/^(plan-stale|project-locked|head-moved)$/)
  expect(done).toBeGreaterThan(0)

  await p.reset()
  const [, , , t4] = await p.log()
  const once = await Promise.all([1, 2, 3].map(() => undo('--expect-head', t4!.id)))
  expect(once.filter(({ code }) => code === 0)).toHaveLength(1)
  for (const { code, said } of once)
    if (code !== 0) expect(said.code).toMatch(/^(plan-stale|head-moved)$/)
  expect(await turnsInFiles(p)).toBe(3)
  expect(await p.line()).toEqual(['T1', 'T2', 'T3'])
})

const many = {
  files: { start: 's\n' },
  turns: {
    hello: 'hi',
    T1: [
      [...Array(40).keys()].map((i) => write(`d${i % 7}/f${i}`, `${i}\n`.repeat(50))),
      edit('start', 's', 'S'),
      'done',
    ],
  },
} as const

const session = playedOnce(many)

/** `in`, `out`, or a failure for any state between. */
async function sideOf(p: Played): Promise<'in' | 'out'> {
  const files = Object.keys(await p.files()).filter((path) => path.startsWith('d'))
  const start = await p.s.read('start')
  if (files.length === 40 && start === 'S\n') return 'in'
  expect({ files, start }).toEqual({ files: [], start: 's\n' })
  return 'out'
}

/** Starts a command and signals it when this many of its temporary files are in the project. */
async function stopAt(
  p: Played,
  verb: string,
  { files, signal }: { files: number; signal: NodeJS.Signals },
): Promise<number> {
  const env = { ...p.s.env }
  const args = [cli, verb, '--session', p.id]
  const child = p.s.processes.start(process.execPath, args, { cwd: p.s.project, env })
  const ended = new Promise<number>((resolve) =>
    child.once('close', (code, name) => resolve(code ?? 128 + constants.signals[name!])),
  )
  while (child.exitCode === null && ownFiles(p).length < files) await sleep(1)
  child.kill(signal)
  return ended
}

/** Retake's temporary files in the project. A directory that vanishes meanwhile has none. */
function ownFiles(p: Played): string[] {
  return below(p.s.project).filter((name) => basename(name).startsWith('.retake-'))
}

function below(directory: string): string[] {
  const entries = entriesOf(directory)
  return entries.flatMap((entry) => {
    const path = join(directory, entry.name)
    return entry.isDirectory() ? [path, ...below(path)] : [path]
  })
}

function entriesOf(directory: string): Dirent[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

test('[F11][B11] Ctrl-C during many files leaves all old or all new, and exit code 130', async () => {
  const p = await session()
  const codes: number[] = []
  for (const files of [1, 30]) {
    for (const verb of ['undo', 'redo']) {
      const before = await sideOf(p)
      const code = await stopAt(p, verb, { files, signal: 'SIGINT' })
      codes.push(code)
      const changed = (await sideOf(p)) !== before
      expect({ code, changed }, `${verb} at ${files}`).toEqual({ code: changed ? 0 : 130, changed })
      expect(ownFiles(p)).toEqual([])
      if (!changed) await p.run(verb)
    }
    expect((await p.status()).head).toMatchObject({ number: 2 })
  }
  expect(codes).toContain(130)
})

test('[B11][FT1][R1] after a kill at any time the next command finds files and conversation both old or both new', async () => {
  // Not the others' session: in a copied project the directories are newer than the turn, so Retake
  // leaves those that may not be the turn's.
  await using p = await played(many)
  for (const files of [1, 15, 40, 41]) {
    for (let twice = 0; twice < 2; twice++) {
      const before = await p.transcript()
      const verb = (await sideOf(p)) === 'in' ? 'undo' : 'redo'
      await stopAt(p, verb, { files, signal: 'SIGKILL' })
      // Any command that would change something recovers first; this one changes nothing itself.
      const recovered = await p.s.retake('undo', '--dry-run', '--session', p.id)
      expect(recovered.code, recovered.stderr).toBe(0)
      const side = await sideOf(p)
      expect((await p.status()).head, `${verb} at ${files}`).toMatchObject({
        number: side === 'in' ? 2 : 1,
      })
      expect(ownFiles(p)).toEqual([])
      const now = await p.transcript()
      expect(Buffer.from(now.subarray(0, before.length)).equals(before)).toBe(true)
    }
  }
  expect(await p.sent()).toEqual((await sideOf(p)) === 'in' ? ['hello', 'T1'] : ['hello'])
  expect(await p.read('check', '--read-data')).toMatchObject({ database: [], contents: [] })
})

test('[FT7][I0] an undo keeps an editor’s save at any moment, and its receipt is right', async () => {
  const p = await session()
  const path = join(p.s.project, 'start')
  // Before anything is staged, while it stages, and while it moves the files.
  for (const files of [0, 1, 20, 40]) {
    await p.reset()
    const env = { ...p.s.env }
    const args = [cli, 'undo', '--session', p.id, '--json']
    const child = p.s.processes.start(process.execPath, args, { cwd: p.s.project, env })
    let said = ''
    child.stdout!.setEncoding('utf8').on('data', (text: string) => (said += text))
    const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code!)))
    while (child.exitCode === null && ownFiles(p).length < files) await sleep(1)
    const text = `${readFileSync(path, 'utf8')}saved\n`
    writeFileSync(path, text)
    const code = await ended
    const now = readFileSync(path, 'utf8')
    const left = Object.keys(await p.files()).filter((name) => /^d\d\/f/.test(name)).length
    expect(ownFiles(p)).toEqual([])
    if (code === 0) {
      // The turn is undone. The save came last and stays, or was displaced and is kept.
      expect(left).toBe(0)
      expect((await p.status()).head).toMatchObject({ number: 1 })
      if (now !== text) expect(await heldContents(p, 'start')).toContain(text)
    } else {
      // A save before the plan is a conflict, a later one makes it stale. Nothing was done.
      const why = parseView<ErrorView>(said).code
      const mayConflict = files === 0 && code === 4
      expect([why, code]).toEqual(mayConflict ? ['conflict', 4] : ['plan-stale', 1])
      expect({ left, now }).toEqual({ left: 40, now: 'S\nsaved\n' })
      expect((await p.status()).head).toMatchObject({ number: 2 })
    }
  }
})

/** Every content of the file that Retake has. */
async function heldContents(p: Played, path: string): Promise<string[]> {
  const { contents } = await p.read<{ contents: { id: string }[] }>('where', path)
  const held = await Promise.all(contents.map(({ id }) => p.s.retake('where', path, '--content', id))) // prettier-ignore
  return held.map(({ stdout }) => stdout)
}
