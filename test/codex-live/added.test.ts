import { join } from 'node:path'
import { expect, test } from 'vitest'
import { agentIn } from '../codex/open-recorded.ts'
import { placeShop } from '../codex/recorded-home.ts'
import { codex } from '../agent/codex.ts'
import { ON_DISK } from '../house/in-memory.ts'
import { addFile, responsesModel, shell } from '../model/index.ts'
import { needs } from '../needs.ts'
import { scene } from '../scene.ts'
import { trustHooks } from './trust-hooks.ts'

test('[port][sem.A9] added directories of Codex are read from its rollout, by time, and as it grows', async () => {
  await using s = await scene({ name: 'shop' })
  const { scenarios, threads } = await placeShop(s)
  const home = join(s.home, '.codex')
  const path = join(home, threads.find(({ id }) => id === scenarios.cart)!.rollout_path)
  const roots = (list: readonly string[]): string => JSON.stringify(list).slice(1, -1)
  const lines = (await s.read(path)).split(/(?<=\n)/)
  lines[0] = lines[0]!.replace(/("runtime_workspace_roots":\[)/, `$1${roots(['/lib', '/a\0b'])},`)
  const last = lines.findLastIndex((line) => line.includes('"type":"turn_context"'))
  const policy = { type: 'workspace-write', writable_roots: ['/later', '/lib', `${home}/memories`] }
  lines[last] = lines[last]!.replace(/"sandbox_policy":\{[^}]*\}/, `"sandbox_policy":${JSON.stringify(policy)}`) // prettier-ignore
  const { timestamp } = JSON.parse(lines[last]) as { timestamp: string }
  const { sessions } = agentIn(home)
  const nothing = { transcript: null, end: 0, directories: [] }

  await s.write(path, lines.slice(0, last).join(''))
  const early = sessions.addedSince(scenarios.cart, nothing)
  expect(early.directories).toEqual(['/lib', s.project])
  await s.write(path, lines.join(''))
  expect(sessions.addedSince(scenarios.cart, early)).toEqual({
    transcript: path,
    end: lines.join('').length,
    directories: ['/lib', s.project, '/later'],
  })
  // A session of another agent is not looked for.
  const other = crypto.randomUUID()
  expect(sessions.addedSince(other, nothing)).toBe(nothing)

  const open = sessions.openIndex(null).open(sessions.find(scenarios.cart)!)
  expect(open.addedDirectories()).toEqual(['/lib', s.project, '/later'])
  expect(open.addedDirectories(Date.parse(timestamp) - 1)).toEqual(['/lib', s.project])
})

needs('codex')(
  '[port][sem.A9] undo covers what Codex’s patches and commands did in a directory of --add-dir',
  async () => {
    await using s = await scene({ git: true, files: { 'a.txt': 'a\n' }, below: ON_DISK })
    await using model = await responsesModel()
    const agent = codex(s, model)
    const lib = join(s.root, 'lib')
    await s.write(join(lib, 'old.txt'), 'old\n')
    const env = { CODEX_HOME: agent.home }
    expect((await s.retake('install', { env })).code).toBe(0)
    await trustHooks(s, agent)
    model.on('start', 'ok')
    model.on('work', [
      [addFile('../lib/new.txt', 'n\n')],
      [shell(`echo changed > ${lib}/old.txt`)],
      'done',
    ])
    const how = ['--json', '--skip-git-repo-check', '-s', 'workspace-write', '--add-dir', lib]
    const { stdout } = await agent.run(['exec', ...how, 'start'])
    const session = /"thread_id":"([0-9a-f-]{36})"/.exec(stdout)![1]!
    expect((await agent.run(['exec', ...how, 'resume', session, 'work'])).code).toBe(0)
    expect(await s.files('../lib')).toEqual({ 'old.txt': 'changed\n', 'new.txt': 'n\n' })
    const retake = (...args: string[]) => s.retake(...args, '--session', session, '--json', { env })
    expect(JSON.parse((await retake('status')).stdout)).toMatchObject({ unwatchedDirectories: [] })
    const undone = await retake('undo', '--yes')
    expect(undone.code, undone.stdout).toBe(0)
    expect(await s.files('../lib')).toEqual({ 'old.txt': 'old\n' })
    expect((await retake('redo', '--yes')).code).toBe(0)
    expect(await s.files('../lib')).toEqual({ 'old.txt': 'changed\n', 'new.txt': 'n\n' })
  },
)
