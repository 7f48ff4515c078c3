import { existsSync } from 'node:fs'
import { readdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { observeProject, openMachine, openProject, watchProject, type Machine } from '#engine'
import type { LogView, PlanView, ReceiptView, StatusView } from '#protocol'
import { allScans, allSightings, type Sighting } from '#store'
import { claudeCode } from '../agent/index.ts'
import { placesOf } from '../storage/in-process.ts'
import { parseView } from '../cli/schemas.ts'
import { scansAreDone } from '../hooks/hook-world.ts'
import { bash, scriptedModel } from '../model/index.ts'
import { scene } from '../scene.ts'
import { playSession } from '../operations/play-session.ts'
import { playedSession } from './played-session.ts'

test('[I7][FT17][FT19] what scans cannot see is listed: in status, and in a plan if a turn changed it', async () => {
  await using s = await scene({
    files: {
      'big.bin': 'b'.repeat(2000),
      'grows.txt': 'g\n',
      'one.txt': 'one\n',
      'ok.txt': 'ok\n',
    },
  })
  await s.retake('install')
  expect(await s.retake('settings', 'set', 'maxFileSize', '1000')).toMatchObject({ code: 0 })
  using session = await playedSession(s)
  await session.turn('work', {
    bash: [
      'echo more >> big.bin; seq 1000 > grows.txt; ln one.txt two.txt; mkfifo pipe; echo fine > ok.txt',
    ],
  })
  const status = parseView<StatusView>((await s.retake('status', '--json')).stdout)
  expect(status).toMatchObject({ coverage: 'whole-tree', eventsLost: false })
  expect(status.notCaptured).toEqual({
    count: 5,
    files: [
      { path: 'big.bin', why: 'it is larger than the size limit' },
      { path: 'grows.txt', why: 'it is larger than the size limit' },
      { path: 'one.txt', why: 'it has several names (hard links)' },
      { path: 'pipe', why: 'it is neither a file nor a link nor a directory' },
      { path: 'two.txt', why: 'it has several names (hard links)' },
    ],
  })
  const { stdout } = await s.retake('status')
  expect(stdout).toContain('5 files that undo leaves alone')
  expect(stdout).toContain('  hooks     in your settings\n')
  // If it were the user's home, Retake would not scan it, and says that too.
  const env = { HOME: s.project, CLAUDE_CONFIG_DIR: s.claudeDir }
  const atHome = parseView<StatusView>((await s.retake('status', '--json', { env })).stdout)
  expect(atHome.notLookedAt).toBe(`${s.project} holds more than a project.`)
  const plan = parseView<PlanView>((await s.retake('undo', '--dry-run', '--json')).stdout)
  expect(plan.files.map(({ path }) => path)).toEqual(['grows.txt', 'ok.txt'])
  expect(plan.notCovered).toEqual([
    'big.bin: it is larger than the size limit, so it stays as it is',
    'one.txt: it has several names (hard links), so it stays as it is',
    'pipe: it is neither a file nor a link nor a directory, so it stays as it is',
    'two.txt: it has several names (hard links), so it stays as it is',
  ])
  // The content before a file grew past the limit is kept.
  const grown = await s.read('grows.txt')
  expect(await s.retake('undo')).toMatchObject({ code: 0 })
  expect(await s.read('grows.txt')).toBe('g\n')
  await rm(join(s.project, 'pipe'))
  const redone = parseView<ReceiptView>((await s.retake('redo', '--json')).stdout)
  expect(await s.read('grows.txt')).toBe(grown)
  // The receipt names what the undo left, and what cannot come back.
  const gone = 'pipe: it was neither a file nor a link nor a directory, so it is not restored'
  expect(redone.notCovered).toEqual(
    plan.notCovered.map((words) => (words.startsWith('pipe') ? gone : words)),
  )
  await writeFile(join(s.project, 'grows.txt'), `${grown}mine\n`)
  const after = await s.retake('undo')
  expect(after.stdout + after.stderr).toContain('grows.txt')
  expect(await s.read('grows.txt')).toBe(`${grown}mine\n`)
})

test('[A4][sem.A4] writes of a background command are asked about for its turn, even after the undo; what you type meanwhile stays', async () => {
  await using s = await scene({ files: { 'a.txt': 'a\n', 'mine.txt': 'mine\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  await s.retake('install')
  model.on('first', 'hello')
  model.on('behind', [
    bash('echo early >> a.txt'),
    bash('until [ -e ../go ]; do sleep 0.05; done; echo late > late.txt; touch ../late', {
      background: true,
    }),
    'started',
  ])
  const tui = await agent.interactive()
  await tui.submit('first')
  await tui.waitFor(/hello/)
  await tui.submit('behind')
  await tui.waitFor(/started/)
  await vi.waitFor(async () => expect(await s.read('a.txt')).toBe('a\nearly\n'), {
    timeout: 20_000,
  })
  await scansAreDone(s)
  // The program has ended, its child process has not.
  const registry = await readdir(join(s.claudeDir, 'sessions'))
  const [pid] = registry.flatMap((name) => /^(\d+)\.json$/.exec(name)?.[1] ?? [])
  process.kill(Number(pid), 'SIGKILL')
  await tui.ended()
  const id = tui.sessionId
  await s.write('mine.txt', 'mine, edited\n')
  const undone = await s.retake('undo', '--session', id, '--json')
  expect({ code: undone.code, stdout: undone.code === 0 ? '' : undone.stdout }).toEqual({
    code: 0,
    stdout: '',
  })
  expect(await s.files()).toEqual({ 'a.txt': 'a\n', 'mine.txt': 'mine, edited\n' })
  await writeFile(join(s.root, 'go'), '')
  await vi.waitFor(() => expect(existsSync(join(s.root, 'late'))).toBe(true), { timeout: 60_000 })

  const status = parseView<StatusView>((await s.retake('status', '--session', id, '--json')).stdout)
  expect(status.differing).toEqual([{ id: expect.any(String), number: 2, files: 'partly' }])
  const log = parseView<LogView>((await s.retake('log', '--session', id, '--json')).stdout)
  expect(log.turns[1]!.files.map(({ path, by }) => `${path} ${by}`)).toEqual([
    'a.txt shell',
    'late.txt unsure',
    'mine.txt unsure',
  ])
  expect(await s.files()).toEqual({
    'a.txt': 'a\n',
    'late.txt': 'late\n',
    'mine.txt': 'mine, edited\n',
  })
})

test('[sem.A3][FT21] a spool that is not read stops growing; steps that were not reported are unsure, and asked about', async () => {
  await using s = await scene({ files: { 'a.txt': 'a\n' } })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  await s.retake('install')
  const state = join(s.env['XDG_STATE_HOME']!, 'retake')
  model.on('first', 'hello')
  model.on('work', [bash('echo more >> a.txt'), 'done'])
  // With hooks, so that the files were scanned before.
  const breakRetake = async (): Promise<void> => {
    await scansAreDone(s)
    // Retake was moved: events are kept up to a limit.
    await rename(join(state, 'observe'), join(state, 'kept'))
    // The process that stays with the session ends then.
    await expect.poll(() => readdir(join(state, 'looks')), { timeout: 30_000 }).toEqual([])
    await writeFile(
      join(state, 'observe'),
      (await s.read(join(state, 'kept'))).replaceAll('retake.js', 'gone.js'),
    )
    await writeFile(join(state, 'spool', 'x.1.event'), Buffer.alloc(65 * 1024 * 1024, 'x'))
  }
  let before = 0
  const expectFull = async (): Promise<void> => {
    expect(existsSync(join(state, 'spool', 'full'))).toBe(true)
    expect(parseView<StatusView>((await s.retake('status', '--json')).stdout)).toMatchObject({
      eventsLost: true,
    })
    before = (await readdir(join(state, 'spool'))).length
  }
  const afterTurns = [breakRetake, expectFull]
  const prompts = ['first', 'second', 'work']
  const onResult = async (): Promise<void> => afterTurns.shift()?.()
  await playSession({ s, agent, prompts, checkpointing: false, onResult })
  expect((await readdir(join(state, 'spool'))).filter((name) => name.endsWith('.event')).length)
    // Prompts may still need an answer; steps are not kept.
    .toBeLessThanOrEqual(before + 2)
  const plan = parseView<PlanView>((await s.retake('undo', '--dry-run', '--json')).stdout)
  expect(plan.unsure).toEqual(['a.txt'])
  expect(plan.left).toContainEqual({
    path: 'a.txt',
    kind: 'unsure',
    why: expect.any(String),
    include: 'includeUnsure',
  })
  // Only the conversation moves; plan, receipt and the hint for the next command say so.
  const undone = await s.retake('undo')
  expect(undone.stdout).toMatch(/^Undid 1 turn\. No file was changed\.\nLeft as it is: a\.txt: /)
  expect(undone.stdout).toContain('Run `retake undo --include-unsure` to undo it too.')
  const shown = await s.retake('op', 'show', '1', '--json')
  expect(shown.stdout).toContain('"include": "includeUnsure"')
  const included = await s.retake('undo', '--include-unsure')
  expect(included.stdout).toMatch(/^Undid the remaining changes: 1 file restored\.\n/)
  expect(await s.read('a.txt')).toBe('a\n')
  const log = parseView<LogView>((await s.retake('log', '--json')).stdout)
  expect(log.turns.map(({ state: where }) => where)).toEqual(['active', 'active', 'undone'])
  await rm(join(state, 'spool', 'x.1.event'))
  await s.retake('install')
  expect(existsSync(join(state, 'spool', 'full'))).toBe(false)
})

test('[A1][FT23] a watched project records the same as a scan', async () => {
  await using s = await scene({ files: { 'a.txt': 'a\n', 'old/b.txt': 'b\n', 'c.txt': 'c\n' } })
  const acts = async (): Promise<void> => {
    await s.write('a.txt', 'A\n')
    await s.write('new/n.txt', 'n\n')
    await rename(join(s.project, 'old'), join(s.project, 'moved'))
    await rm(join(s.project, 'c.txt'))
  }
  const seen = async (data: string, look: 'watch' | 'scan'): Promise<string[]> => {
    const places = { ...placesOf(s), data: join(s.root, data) }
    using machine: Machine = openMachine(places, { now: () => new Date(), newId: () => 'x' })
    using project = openProject(machine, s.project)
    using watch = look === 'watch' ? watchProject(machine, project) : null
    const observe = async (): Promise<void> =>
      watch === null ? observeProject(machine, project) : watch.observe()
    await observe()
    await acts()
    await observe()
    expect(allScans(project.store)).toHaveLength(2)
    return allSightings(project.store).map(said).toSorted()
  }
  const watched = await seen('one', 'watch')
  await rm(s.project, { recursive: true })
  for (const [path, text] of Object.entries({ 'a.txt': 'a\n', 'old/b.txt': 'b\n', 'c.txt': 'c\n' }))
    await s.write(path, text)
  expect(await seen('two', 'scan')).toEqual(watched)
  expect(watched).toEqual([
    'a.txt file file ',
    'c.txt file absent ',
    'moved absent absent made',
    'moved/b.txt absent file ',
    'new absent absent made',
    'new/n.txt absent file ',
    'old absent absent gone',
    'old/b.txt file absent ',
  ])
})

function said({ path, before, after, directory }: Sighting): string {
  return `${path} ${before.kind} ${after.kind} ${directory?.change ?? ''}`
}

test('[H12] a waiting hook returns early only if no file changed', async () => {
  await using s = await scene({ files: { 'a.txt': 'one\n' } })
  // Scans are identified by their millisecond, and these follow each other at once.
  let time = Date.now()
  using machine = openMachine(placesOf(s), { now: () => new Date((time += 1)), newId: () => 'id' })
  using project = openProject(machine, s.project)
  using observer = watchProject(machine, project)
  const looked = async (): Promise<number[]> => {
    const scansBefore: number[] = []
    await observer.observe(() => scansBefore.push(allScans(project.store).length))
    return scansBefore
  }
  expect(await looked(), 'the first look').toEqual([])
  expect(await looked(), 'nothing has changed').toEqual([1])
  await s.write('a.txt', 'two\n')
  expect(await looked()).toEqual([])
  await rm(join(s.project, 'a.txt'))
  expect(await looked()).toEqual([])
  expect(await looked()).toEqual([4])
  // Each scan is recorded when it is over, whether or not the hook returned early.
  expect(allScans(project.store)).toHaveLength(5)
})
