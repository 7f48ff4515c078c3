/**
 * A session that the real agent played, and Retake on it.
 *
 * ```ts
 * await using p = await played({
 *   files: { 'a.txt': 'one\n' },
 *   turns: { T1: [edit('a.txt', 'one', 'ONE'), 'done'] },
 * })
 * expect(await p.run('undo')).toMatchObject({ turnsUndone: 1 })
 * expect(await p.refused('redo', '--only', 'nonsense')).toMatchObject({ exit: 2, code: 'usage' })
 * expect(await p.sent()).toEqual(['T1'])
 * ```
 *
 * Every `run` is checked: it may change only the files that its receipt names, and append to the
 * transcript. `refused` and `read` must change nothing at all.
 */
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import type { ErrorView, LogView, ReceiptView, StatusView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import { parseView } from '../cli/schemas.ts'
import { scriptedModel } from '../model/index.ts'
import { type Scene, type SceneOptions, scene } from '../scene.ts'
import { expectOnly, footprint } from './footprint.ts'
import { playOnScreen, type ScreenStep } from './play-on-screen.ts'
import { makeGitInteresting, playSession } from './play-session.ts'
import { recallOrPlay } from './recorded-play.ts'
import { recallOrRun } from './recorded-run.ts'
import { nameRecording } from './recordings.ts'

type Model = Awaited<ReturnType<typeof scriptedModel>>
type Agent = ReturnType<typeof claudeCode>
export type Rounds = Parameters<Model['on']>[1]

export interface PlayOptions extends SceneOptions {
  /** Prompts and the model's answers, in order. */
  readonly turns: Readonly<Record<string, Rounds>>
  /** The model's answers to subagents and later prompts. */
  readonly also?: Readonly<Record<string, Rounds>>
  /** The agent keeps its own byte-exact checkpoints. */
  readonly checkpointing?: boolean
  /** Runs once, before the state that `reset` restores. */
  readonly after?: (p: Played) => Promise<void>
}

export interface Refusal extends Omit<ErrorView, 'schema'> {
  readonly exit: number
}

export interface Played extends AsyncDisposable {
  readonly s: Scene
  readonly model: Model
  readonly agent: Agent
  /** The session's id. */
  readonly id: string
  /** Runs a verb that must succeed. */
  run(...args: string[]): Promise<ReceiptView>
  /** Runs a verb that must fail and change nothing. */
  refused(...args: string[]): Promise<Refusal>
  /** Runs a verb that only reads. */
  read<T>(...args: string[]): Promise<T>
  log(): Promise<LogView['turns']>
  status(): Promise<StatusView>
  /**
   * The user's prompts, as the real agent sends them to the model on resume. It starts an agent, so
   * call it once per test and `line` in between.
   */
  sent(): Promise<string[]>
  /** The prompts of the turns that Retake shows as part of the conversation. */
  line(): Promise<string[]>
  /** Sends the next prompt with the real agent. */
  say(prompt: string, rounds?: Rounds): Promise<void>
  /** Acts in the real TUI, open at the session. */
  onScreen(steps: readonly ScreenStep[]): Promise<void>
  /** Sends several prompts in one process of the real agent. */
  sayAll(turns: Readonly<Record<string, Rounds>>): Promise<void>
  files(): ReturnType<Scene['files']>
  transcript(): Promise<Uint8Array>
  /** True while the agent is running and may write. */
  live: boolean
  /** Restores the state after the last turn, except inodes and times. */
  reset(): Promise<void>
}

export async function played(options: PlayOptions): Promise<Played> {
  const { turns, also = {}, checkpointing = false, after, ...sceneOptions } = options
  const s = await scene({ git: true, ...sceneOptions })
  const model = await scriptedModel()
  const agent = claudeCode(s, model)
  if (options.git !== false) await makeGitInteresting(s)
  for (const [prompt, rounds] of Object.entries({ ...turns, ...also })) model.on(prompt, rounds)
  const id = await playOrRecall(s, agent, options)
  const kept = join(s.root, 'kept')

  // Before `--`, because everything after it is a path.
  const retake = (args: readonly string[]) => {
    const dash = args.indexOf('--')
    const end = dash === -1 ? args.length : dash
    const all = [...args.slice(0, end), '--session', id, '--json', ...args.slice(end)]
    return s.retake(...all)
  }

  const nothing = () => ({ changed: [], appended: made.live ? 'by-agent' : 'no' }) as const
  const read = async <T>(...args: string[]): Promise<T> => {
    const before = await footprint(s)
    const { code, stdout, stderr } = await retake(args)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expectOnly(before, await footprint(s), nothing())
    return parseView<T>(stdout)
  }

  const again = <T>(asked: object, run: () => Promise<T>): Promise<T> =>
    made.live
      ? run()
      : recallOrRun({
          s,
          model,
          session: id,
          asked: checkpointing ? { ...asked, checkpointing } : asked,
          run,
        })

  const made: Played = {
    live: false,
    s,
    model,
    agent,
    id,
    async run(...args) {
      const before = await footprint(s)
      const { code, stdout, stderr } = await retake(args)
      expect({ args, code, stderr, stdout: code === 0 ? '' : stdout }).toEqual({
        args,
        code: 0,
        stderr: '',
        stdout: '',
      })
      const receipt = parseView<ReceiptView>(stdout)
      expectOnly(before, await footprint(s), {
        changed: receipt.filesReverted,
        appended: receipt.conversation === 'moved' ? 'may' : nothing().appended,
      })
      return receipt
    },
    async refused(...args) {
      const before = await footprint(s)
      const { code, stdout, stderr } = await retake(args)
      expect(code, stdout).not.toBe(0)
      expectOnly(before, await footprint(s), nothing())
      expect(stderr, 'talk besides the JSON').toBe('')
      const { schema, ...error } = parseView<ErrorView>(stdout)
      expect(schema).toBe('retake.error/1')
      return { exit: code, ...error }
    },
    read,
    log: async () => (await read<LogView>('log')).turns,
    status: () => read<StatusView>('status'),
    async sent() {
      await agent.probe(id)
      return model.userTexts().filter((text) => text !== 'probe')
    },
    async line() {
      const turns = await made.log()
      return turns.filter(({ state }) => state === 'active').map(({ prompt }) => prompt)
    },
    async say(prompt, rounds) {
      if (rounds !== undefined) model.on(prompt, rounds)
      await again({ prompts: [prompt] }, () => agent.prompt(prompt, { resume: id, checkpointing }))
    },
    async sayAll(more) {
      for (const [prompt, rounds] of Object.entries(more)) model.on(prompt, rounds)
      const prompts = Object.keys(more)
      await again({ prompts }, () => playSession({ s, agent, prompts, checkpointing, resume: id }))
    },
    onScreen: (steps) => again({ steps }, () => playOnScreen(s, agent, { resume: id, steps })),
    files: () => s.files(),
    transcript: async () => (await agent.transcript(id)).bytes,
    async reset() {
      // A hook of the previous test may still be scanning; it must not write into the copy.
      await s.processes.end()
      for (const name of ['project', 'home']) copy(join(kept, name), join(s.root, name))
    },
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await s[Symbol.asyncDispose]()
    },
  }
  await after?.(made)
  for (const name of ['project', 'home']) copy(join(s.root, name), join(kept, name))
  return made
}

/** Restores the recorded session, or plays it with the real agent. */
async function playOrRecall(s: Scene, agent: Agent, options: PlayOptions): Promise<string> {
  const { turns, also, checkpointing = false, after: _, ...scene } = options
  const name = nameRecording({ turns, also, scene, ...(checkpointing ? { checkpointing } : {}) })
  return recallOrPlay(s, name, () =>
    playSession({ s, agent, prompts: Object.keys(turns), checkpointing }),
  )
}

/** One session for all tests of a file, reset for each test. */
export function playedOnce(options: PlayOptions): () => Promise<Played> {
  let first: Promise<Played> | undefined
  afterAll(async () => (await first)?.[Symbol.asyncDispose]())
  return async () => {
    if (first === undefined) return (first = played(options))
    const p = await first
    await p.reset()
    return p
  }
}

/** Keeps the directory itself: a new one would be another project without history. */
function copy(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of readdirSync(to)) rmSync(join(to, name), { recursive: true, force: true })
  cpSync(from, to, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
}
