import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { claudeCode } from '../agent/index.ts'
import { bash, scriptedModel, type ScriptedModel } from '../model/index.ts'
import { scene, type Scene } from '../scene.ts'
import { helloSeen } from '../capture/hello-seen.ts'
import { makeHooksPatient } from '../capture/patient-hooks.ts'
import { stateOf } from '../house/process-facts.ts'
import { serving } from '../server/serving.ts'

test('[sem.A1][sem.A2][H7][H12] without a server a prompt’s hook starts a process that stays, so a save right before a command stays the user’s, and no process outlives the agent', async () => {
  await using s = await scene({ files: FILES })
  await using model = await scriptedModel()
  const { sessionId, running, offered } = await promptedToWork(s, model)
  const state = stateDirectory(s)
  const who = await readFile(offered, 'utf8')
  await saveMine(s)
  model.release()
  await running
  expect(await s.files()).toEqual({ 'a.txt': 'MINE\ntwo\nthree\nfour\nFIVE\n' })

  // The process ends with the agent, and reads the remaining events.
  const left = (): string[] => [
    ...readdirSync(state).filter((name) => name.startsWith('look.')),
    ...readdirSync(join(state, 'looks')),
    ...readdirSync(join(state, 'spool')),
  ]
  await expect.poll(left, { timeout: 30_000 }).toEqual([])
  await expect.poll(() => stateOf(Number.parseInt(who, 10))).toBe('gone')
  await undoKeepsMine(s, sessionId)
})

test('[sem.A1][sem.A2][H12] if the process that stayed was killed, the hook of the next command starts one and waits for it', async () => {
  await using s = await scene({ files: FILES })
  await using model = await scriptedModel()
  const { sessionId, running, offered } = await promptedToWork(s, model)
  const killed = await readFile(offered, 'utf8')
  process.kill(Number.parseInt(killed, 10), 'SIGKILL')
  const isLooking = (): boolean => existsSync(join(stateDirectory(s), `look.${sessionId}`))
  await expect.poll(isLooking).toBe(false)
  await saveMine(s)
  model.release()
  await expect
    .poll(() => readFile(offered, 'utf8').catch(() => killed), { timeout: 30_000, interval: 5 })
    .not.toBe(killed)
  await running
  await undoKeepsMine(s, sessionId)
})

test('[sem.A1][H12] a server takes over from a process that stayed, which ends: two would wait for each other', async () => {
  await using s = await scene({ files: FILES })
  await using model = await scriptedModel()
  await using server = await serving(s)
  const isServers = (offer: string): boolean => offer.startsWith(`${server.child.pid} `)
  await workUntilOffered(s, model, isServers)
  // The server is late, as right after the start of a session.
  server.child.kill('SIGSTOP')
  const { sessionId, running, offered } = await promptedToWork(s, model)
  const stayed = Number.parseInt(await readFile(offered, 'utf8'), 10)
  expect(stayed).not.toBe(server.child.pid)
  server.child.kill('SIGCONT')
  const isTaken = async (): Promise<boolean> => isServers(await readFile(offered, 'utf8'))
  await expect.poll(isTaken, { timeout: 30_000 }).toBe(true)
  await expect.poll(() => stateOf(stayed), { timeout: 30_000 }).toBe('gone')
  await saveMine(s)
  model.release()
  await running
  await undoKeepsMine(s, sessionId)
})

const FILES = { 'a.txt': 'one\ntwo\nthree\nfour\nfive\n' }

const stateDirectory = (s: Scene): string => join(s.env['XDG_STATE_HOME']!, 'retake')

/** A session whose second prompt was sent, and whose process for scans has started. */
async function promptedToWork(s: Scene, model: ScriptedModel) {
  const agent = claudeCode(s, model)
  expect((await s.retake('install')).code).toBe(0)
  const command = bash('sed -i s/five/FIVE/ a.txt; rm mine.txt')
  model.on('work', [{ hang: 'before', blocks: [command] }, 'done'])
  const env = await makeHooksPatient(s)
  const sessionId = await helloSeen(s)
  const offered = join(stateDirectory(s), 'looks', sessionId)
  const running = agent.prompt('work', { resume: sessionId, env })
  await model.hanging()
  await expect.poll(() => existsSync(offered), { timeout: 30_000, interval: 5 }).toBe(true)
  return { sessionId, running, offered }
}

/** Plays a turn of another session that lasts until a process offers scans to it. */
async function workUntilOffered(
  s: Scene,
  model: ScriptedModel,
  fits: (offer: string) => boolean,
): Promise<void> {
  expect((await s.retake('install')).code).toBe(0)
  model.on('before', [bash('until [ -e seen ]; do sleep 0.02; done; rm seen'), 'done'])
  const running = claudeCode(s, model).prompt('before', { env: await makeHooksPatient(s) })
  const looks = join(stateDirectory(s), 'looks')
  const isOffered = (): boolean =>
    existsSync(looks) &&
    readdirSync(looks).some((name) => fits(readFileSync(join(looks, name), 'utf8')))
  await expect.poll(isOffered, { timeout: 30_000 }).toBe(true)
  await s.write('seen', '')
  await running
}

async function saveMine(s: Scene): Promise<void> {
  await s.write('a.txt', 'MINE\ntwo\nthree\nfour\nfive\n')
  await s.write('mine.txt', 'my notes\n')
}

async function undoKeepsMine(s: Scene, sessionId: string): Promise<void> {
  expect((await s.retake('undo', '--session', sessionId, '--yes')).code).toBe(0)
  expect(await s.files()).toEqual({
    'a.txt': 'MINE\ntwo\nthree\nfour\nfive\n',
    'mine.txt': 'my notes\n',
  })
}
