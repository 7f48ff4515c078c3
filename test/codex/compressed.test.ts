import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { zstdCompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { codex } from '../agent/codex.ts'
import { responsesModel } from '../model/index.ts'
import { needs } from '../needs.ts'
import { scene, type Scene } from '../scene.ts'
import { agentIn, lineOf, openIn, promptsOf } from './open-recorded.ts'
import { placeShop, recordedFacts, recordedHome, recordedVersions } from './recorded-home.ts'
import { threeTurns } from './three-turns.ts'

/** As Codex does with old rollouts if the feature is on. */
function compress(path: string): string {
  writeFileSync(`${path}.zst`, zstdCompressSync(readFileSync(path)))
  rmSync(path)
  return `${path}.zst`
}

test.each(recordedVersions)(
  '[port] a compressed session of Codex %s reads like a plain one',
  (version) => {
    using recorded = recordedHome(version)
    const { scenarios, threads } = recordedFacts(version)
    const session = scenarios['plain']!
    const plain = openIn(recorded.home, session)
    const path = plain.file.path
    const steps = (open: typeof plain) => lineOf(open).map((id) => open.readTurn(id))
    const read = steps(plain)
    const packed = compress(path)
    const open = openIn(recorded.home, session)
    expect(open.file.path).toBe(packed)
    expect(open.summary).toEqual({ ...plain.summary, path: packed })
    expect(promptsOf(open)).toEqual(promptsOf(plain))
    expect(steps(open)).toEqual(read)
    expect(open.continues(plain.reading)).toBe(true)
    expect(open.moves.notInPlace).not.toBeNull()
    expect(threads.length === 0 || threads.some(({ id }) => id === session)).toBe(true)
  },
)

test('[port] a compressed session that is damaged or grows too large is refused, and the list goes on', async () => {
  await using s = await scene({ name: 'shop' })
  const { scenarios, threads } = await placeShop(s)
  const home = join(s.home, '.codex')
  const at = (id: string): string =>
    join(home, threads.find((thread) => thread.id === id)!.rollout_path)
  const torn = compress(at(scenarios.cart))
  writeFileSync(torn, readFileSync(torn).fill(1, 50))
  const router = at(scenarios.router)
  const large = Buffer.concat([readFileSync(router), Buffer.alloc(256 * 1024 * 1024, ' ')])
  writeFileSync(`${router}.zst`, zstdCompressSync(large))
  rmSync(router)
  const { sessions } = agentIn(home)
  const index = sessions.openIndex(null)
  const open = (id: string) => () => index.open(sessions.find(id)!)
  expect(open(scenarios.cart)).toThrow('is damaged')
  expect(open(scenarios.router)).toThrow('is larger than 256 MB')
  expect(index.summaries(sessions.list())).toEqual([])
})

test('[port][R9] a session that Codex archived or compressed is not lost', async () => {
  await using s = await scene({ name: 'shop' })
  const { scenarios, threads } = await placeShop(s)
  const home = join(s.home, '.codex')
  const path = join(home, threads.find(({ id }) => id === scenarios.cart)!.rollout_path)
  const written = readFileSync(path)
  const losses = async (): Promise<string> => (await s.retake('sessions', '--all')).stderr
  expect((await s.retake('log', '--session', scenarios.cart)).code).toBe(0)
  const packed = compress(path)
  expect(await losses()).toBe('')
  expect((await s.retake('log', '--session', scenarios.cart)).code).toBe(0)
  const archived = join(home, 'archived_sessions', packed.slice(packed.lastIndexOf('/') + 1))
  mkdirSync(dirname(archived), { recursive: true })
  renameSync(packed, archived)
  expect(await losses()).toBe('')
  rmSync(archived)
  expect(await losses()).toContain('was deleted')
  // Retake copied it before it was compressed. Compressed files are not copied, because `forget`
  // could not erase single turns of them.
  expect((await s.retake('rescue', scenarios.cart)).code).toBe(0)
  expect(readFileSync(path)).toEqual(written)
})

needs('codex')(
  '[port] an undo in a compressed session continues in a new one, and the old one stays as it is',
  async () => {
    await using s: Scene = await scene()
    await using model = await responsesModel()
    const agent = codex(s, model)
    const session = await threeTurns(model, agent)
    const packed = compress(agent.rollouts()[0]!)
    const written = readFileSync(packed)
    const undone = await s.retake('undo', '--session', session, '--json', '--yes')
    expect(undone.code, undone.stdout).toBe(0)
    const { continues } = JSON.parse(undone.stdout) as {
      continues: { session: string; because: string }
    }
    expect(continues.because).toBe('Codex has compressed this session')
    expect(await agent.probed(continues.session)).toEqual(['one', 'two'])
    expect(readFileSync(packed)).toEqual(written)
    expect(await agent.resumed(session)).toEqual(['one', 'two', 'three'])
    // Codex wrote it out, so now it can move.
    expect((await s.retake('undo', '2', '--session', session, '--json', '--yes')).code).toBe(0)
    expect(await agent.probed(session)).toEqual(['one', 'two'])
    expect(await agent.probed(continues.session)).toEqual(['one', 'two'])

    // The same where only the newest part of the session is compressed.
    for (const prompt of ['four', 'five']) {
      model.on(prompt, 'ok')
      await agent.prompt(prompt, { resume: session })
    }
    compress(agent.rollouts().findLast((path) => path.includes(`${session}_`))!)
    const again = await s.retake('undo', '--session', session, '--json', '--yes')
    const { continues: next } = JSON.parse(again.stdout) as { continues: { session: string } }
    expect(await agent.probed(next.session)).toEqual(['one', 'two', 'four'])
  },
)
