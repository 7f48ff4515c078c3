import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { claudeCode } from '../agent/index.ts'
import { bash, edit, scriptedModel, write } from '../model/index.ts'
import { makeGitInteresting, playSession } from '../operations/play-session.ts'
import { cli, scene, type Scene } from '../scene.ts'
import { shim } from './shim.ts'

export interface Ran {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** A project with a session that the real agent played, and the command line as it ships. */
export interface CliWorld extends AsyncDisposable {
  readonly root: string
  readonly project: string
  readonly home: string
  readonly env: Readonly<Record<string, string>>
  readonly session: string
  /** Runs Retake with an injected fault (see shim.c), or under another command (`via`). */
  retake(args: readonly string[], fault?: Fault): Ran
  /** Saves the whole state under a name. */
  keep(name: string): void
  reset(name: string): void
}

export interface Fault {
  readonly env?: Readonly<Record<string, string>>
  readonly via?: readonly string[]
}

const numbers = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']

/**
 * Two branches: T1 T2 T3 (the trunk) and T1 T2 T4, which has the head. The turns edit, create,
 * remove, move, link and make executable, with tools and with the shell.
 */
export async function cliWorld(below?: string): Promise<CliWorld> {
  const s = await scene({
    ...(below === undefined ? {} : { below }),
    git: true,
    files: {
      'a.txt': `${numbers.join('\n')}\n`,
      'dir/b.txt': 'b\n',
      'old.txt': 'old\r\n',
      'run.sh': { text: '#!/bin/sh\n', mode: '644' },
      link: { link: 'a.txt' },
      'empty/': { directory: '750' },
    },
  })
  const session = await playTurns(s)
  const kept = join(s.root, 'kept')
  return {
    root: s.root,
    project: s.project,
    home: s.home,
    env: s.env,
    session,
    retake(args, { env = {}, via = [] } = {}) {
      const [program, ...rest] = [...via, process.execPath, cli, ...args]
      const wrong = Object.keys(env).some((name) => name.startsWith('FAULT'))
      const { status, signal, stdout, stderr } = spawnSync(program!, rest, {
        cwd: s.project,
        env: { ...s.env, ...(wrong ? { LD_PRELOAD: shim(), FAULT_BELOW: s.root } : {}), ...env },
        encoding: 'utf8',
        timeout: 120_000,
      })
      return { code: status, signal, stdout, stderr }
    },
    keep(name) {
      execFileSync('mkdir', ['-p', join(kept, name)])
      for (const part of ['project', 'home']) execFileSync('cp', ['-a', join(s.root, part), join(kept, name)]) // prettier-ignore
    },
    // Keep the directories themselves: with new inodes it would be another project.
    reset(name) {
      for (const part of ['project', 'home'])
        execFileSync('sh', [
          '-ec',
          'find "$1" -mindepth 1 -delete; cp -a "$2/." "$1"',
          'sh',
          join(s.root, part),
          join(kept, name, part),
        ])
    },
    [Symbol.asyncDispose]: () => s[Symbol.asyncDispose](),
  }
}

async function playTurns(s: Scene): Promise<string> {
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  await makeGitInteresting(s)
  await must(s, 'install', '--json')
  model.on('T1', [[edit('a.txt', 'two', 'TWO'), write('new/c.txt', 'c\n'.repeat(2000))], 'done'])
  model.on('T2', [
    bash(
      'rm old.txt; chmod +x run.sh; ln -sfn dir/moved.txt link; mkdir hollow; mv dir/b.txt dir/moved.txt; rmdir empty',
    ),
    'done',
  ])
  model.on('T3', [[edit('a.txt', 'eight', 'EIGHT'), write('new/d.txt', 'd\n')], 'done'])
  model.on('T4', [[edit('a.txt', 'five', 'FIVE'), write('new/deep/e.txt', 'e\n')], 'done'])
  const id = await playSession({ s, agent, prompts: ['T1', 'T2', 'T3'], checkpointing: false })
  await scansEnd(s)
  await must(s, 'undo', '--json', '--session', id)
  await agent.prompt('T4', { resume: id })
  await scansEnd(s)
  // Record now, with the inodes and times of these directories: copies have newer ones.
  await must(s, 'undo', '--dry-run', '--json', '--session', id)
  await must(s, 'observe')
  return id
}

async function must(s: Scene, ...args: string[]): Promise<void> {
  const { code, stdout, stderr } = await s.retake(...args)
  if (code !== 0) throw new Error(`retake ${args.join(' ')}: ${code} ${stdout}${stderr}`)
}

/** Waits for the scans that hooks start in the background. */
export async function scansEnd(s: Scene): Promise<void> {
  const state = join(s.env['XDG_STATE_HOME']!, 'retake')
  while (existsSync(state) && readdirSync(state).some((name) => name.startsWith('look.')))
    await setTimeout(20)
}
