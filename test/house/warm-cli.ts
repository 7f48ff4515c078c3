/**
 * A persistent process that runs commands with the scripts that ship. Starting Node takes longer
 * than most verbs, and the suite runs thousands. Verbs that keep running, read standard input or
 * load large packages get their own process.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { PRETENDING } from './pretend-platform.ts'
import type { RunResult } from './processes.ts'

export interface WarmRun {
  readonly words: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

const LARGE = ['serve', 'demo', 'tui', 'mcp', 'doctor', '--version', '-V']
const OWN_PROCESS = new Set([...LARGE, 'chat', 'hook', 'observe'])
const TIMEOUT_MS = 45_000

const script = fileURLToPath(new URL('./warm-cli-process.ts', import.meta.url))
let child: ChildProcess | undefined
let isBusy = false

/** Null if the command needs its own process, or another one is running here. */
export function runWarm(cli: string, run: WarmRun): Promise<RunResult> | null {
  const [verb] = run.words
  if (isBusy || verb === undefined || OWN_PROCESS.has(verb)) return null
  isBusy = true
  child ??= start(cli, run.env)
  return answer(child, run).finally(() => (isBusy = false))
}

function start(cli: string, env: Readonly<Record<string, string>>): ChildProcess {
  const { PATH, LANG, LC_ALL, TZ, NODE_COMPILE_CACHE } = env
  const made = spawn(process.execPath, [script, cli], {
    cwd: '/',
    env: { PATH, LANG, LC_ALL, TZ, NODE_COMPILE_CACHE, ...PRETENDING },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  // It ends with this process, which closes the channel.
  made.unref()
  made.channel?.unref()
  for (const stream of [made.stdout, made.stderr]) if (stream instanceof Socket) stream.unref()
  return made
}

function answer(to: ChildProcess, run: WarmRun): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    let stray = ''
    const hear = (piece: Uint8Array): void => void (stray += Buffer.from(piece).toString())
    const end = (): void => {
      clearTimeout(timer)
      to.off('message', done).off('exit', died)
      to.stdout?.off('data', hear)
      to.stderr?.off('data', hear)
    }
    const done = (result: RunResult): void => {
      end()
      resolve(result)
    }
    // A verb may end the process; that is a result too.
    const died = (code: number | null): void => {
      end()
      child = undefined
      resolve({ code: code ?? -1, stdout: '', stderr: stray })
    }
    const timer = setTimeout(() => {
      end()
      child = undefined
      to.kill('SIGKILL')
      reject(new Error(`retake ${run.words.join(' ')} did not end in ${TIMEOUT_MS} ms. ${stray}`))
    }, TIMEOUT_MS)
    to.on('message', done).on('exit', died)
    to.stdout?.on('data', hear)
    to.stderr?.on('data', hear)
    to.send(run)
  })
}
