import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { durableDisk, type Disk } from '#disk'
import { openForChange, openMachine } from '#engine'
import { codexSteps } from '../../src/agents/codex/move/index.ts'
import { findLockHolders } from '../../src/agents/codex/live/locks.ts'
import { codex } from '../agent/codex.ts'
import { addFile, responsesModel } from '../model/index.ts'
import { needs } from '../needs.ts'
import { scene } from '../scene.ts'
import { placesOf } from '../storage/in-process.ts'
import { agentIn } from './open-recorded.ts'
import { placeShop } from './recorded-home.ts'

needs('flock', 'linux')(
  '[port] a move that is rolled back leaves its rollout if Codex has the session open, and may have that rollout',
  async () => {
    await using s = await scene({ name: 'shop' })
    const { scenarios } = await placeShop(s)
    const home = join(s.home, '.codex')
    const index = agentIn(home).sessions.openIndex(null)
    const open = index.open(agentIn(home).sessions.find(scenarios.cart)!)
    const facts = { uuid: randomUUID(), at: new Date(), says: '' }
    const plan = open.moves.planMove(
      { turn: open.conversation.turns[0]!.turn.id, next: null },
      facts,
    )
    if (plan.kind !== 'step') throw new Error(plan.kind)
    const step = plan.step.prepare(durableDisk)!
    const { to, from } = step.step as { to: string; from: { path: string } }
    await s.write(to, step.bytes!)
    const lock = join(home, 'thread-writer-locks', `${scenarios.cart}.lock`)
    await s.write(lock, '')
    const holder = spawn('flock', ['--no-fork', lock, 'sleep', '60'])
    await expect.poll(() => findLockHolders(home)).toHaveLength(1)
    codexSteps.abandon(durableDisk, step)
    expect(existsSync(to)).toBe(true)
    const ended = once(holder, 'exit')
    holder.kill('SIGKILL')
    await ended
    codexSteps.abandon(durableDisk, step)
    expect([existsSync(to), existsSync(from.path)]).toEqual([false, true])
  },
)

/** The move writes its rollout under another name, and renames it last before the index changes. */
for (const call of ['create', 'rename'] as const)
  needs('codex', 'linux')(
    `[port] a session that Codex opens while a move is at its ${call} stays where it is, with the files and Codex’s new turn`,
    async () => {
      await using s = await scene()
      await using model = await responsesModel()
      const agent = codex(s, model)
      model.on('one', [addFile('1.txt', '1\n'), 'ok'])
      model.on('two', [addFile('2.txt', '2\n'), 'ok'])
      model.on('meanwhile', 'ok')
      const { session } = await agent.prompt('one')
      await agent.prompt('two', { resume: session })
      const files = await s.files()

      const opened: Promise<unknown>[] = []
      const open = (): void => {
        const how = ['exec', '--skip-git-repo-check', 'resume', session, 'meanwhile']
        const child = spawn(agent.binary, how, { cwd: s.project, env: agent.env, stdio: 'ignore' })
        opened.push(once(child, 'exit'))
        // The move is synchronous, so it cannot be awaited.
        while (findLockHolders(agent.home)!.length === 0)
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
      }
      const isOwn = (path: Buffer): boolean => path.includes('.retake-rollout-')
      const disk: Disk = {
        ...durableDisk,
        create(path, mode) {
          if (call === 'create' && isOwn(path) && opened.length === 0) open()
          return durableDisk.create(path, mode)
        },
        rename(from, to) {
          if (call === 'rename' && isOwn(from) && opened.length === 0) open()
          durableDisk.rename(from, to)
        },
      }
      const places = { ...placesOf(s), agents: { ...placesOf(s).agents, codex: agent.home } }
      using machine = openMachine(places, { now: () => new Date(), newId: randomUUID, disk })
      {
        using change = await openForChange(machine, session)
        const planned = await change.plan({ verb: 'undo', count: 1 })
        if (planned.kind !== 'planned') throw new Error(planned.kind)
        await expect(change.apply(planned)).rejects.toMatchObject({ code: 'conversation-changed' })
      }
      expect(await s.files()).toEqual(files)
      await Promise.all(opened)
      expect(await agent.probed(session)).toEqual(['one', 'two', 'meanwhile'])
      const undone = await s.retake('undo', '2', '--session', session, '--json', '--yes')
      expect(undone.code, undone.stdout).toBe(0)
      expect(await agent.probed(session)).toEqual(['one'])
      expect(await s.files()).toEqual({ '1.txt': '1\n' })
    },
  )
