import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { constants, type } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { readdirSync, readlinkSync, readProcFile } from './pretend-platform.ts'

export interface RunOptions {
  readonly cwd?: string
  /** Added to the scene's environment; `undefined` removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Standard input; empty by default. */
  readonly input?: string | Uint8Array
  /** Stops the process with SIGINT, as a user would. */
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
}

export interface RunResult {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The processes of one scene. All end with it, even those that left their process group. */
export class Processes {
  readonly #root: string
  readonly #children = new Set<ChildProcess>()

  constructor(root: string) {
    this.#root = root
  }

  /** Starts a process in its own group, so that its children can be killed with it. */
  start(
    command: string,
    args: readonly string[],
    { cwd, env }: { cwd: string; env: Record<string, string> },
  ): ChildProcess {
    const child = spawn(command, args, { cwd, env, stdio: 'pipe', detached: true })
    this.#children.add(child)
    return child
  }

  async run(
    command: string,
    args: readonly string[],
    {
      cwd,
      env,
      input,
      signal,
      timeoutMs = 45_000,
    }: RunOptions & { cwd: string; env: Record<string, string> },
  ): Promise<RunResult> {
    const child = this.start(command, args, { cwd, env })
    const stdout = collect(child.stdout)
    const stderr = collect(child.stderr)
    // A process may end without reading its input, which is no error.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
    const interrupt = (): void => void child.kill('SIGINT')
    signal?.addEventListener('abort', interrupt)
    const end = Promise.withResolvers<number>()
    child.once('error', (cause) => end.reject(cause))
    child.once('close', (code, name) => end.resolve(code ?? 128 + signalNumber(name)))
    const timer = setTimeout(() => {
      killGroup(child)
      end.reject(
        new Error(
          `${command} ${args.join(' ')} did not end within ${timeoutMs} ms.\n` +
            `stdout: ${stdout()}\nstderr: ${stderr()}`,
        ),
      )
    }, timeoutMs)
    try {
      const code = await end.promise
      return { code, stdout: stdout(), stderr: stderr() }
    } finally {
      clearTimeout(timer)
      signal?.removeEventListener('abort', interrupt)
    }
  }

  /** Ids of the scene's processes that still run. */
  async running(): Promise<number[]> {
    const ids = new Set<number>()
    for (const child of this.#children) if (runs(child)) ids.add(child.pid)
    for (const pid of findProcessesOf(this.#root)) ids.add(pid)
    return [...ids]
  }

  /** Kills everything. A process may fork while it is killed, so it retries. */
  async end(): Promise<void> {
    for (const child of this.#children) killGroup(child)
    for (let round = 0; round < 200; round++) {
      const left = await this.running()
      if (left.length === 0) return
      for (const pid of left) kill(pid)
      await sleep(10)
    }
    throw new Error(
      `Processes of ${this.#root} cannot be ended: ${(await this.running()).join(', ')}`,
    )
  }
}

/**
 * Finds daemons and `setsid` children, which left every group the scene knows. They still have the
 * scene's home in their environment or work in its directory.
 */
function findProcessesOf(root: string): number[] {
  if (type() === 'Darwin') return listProcessesOf(root)
  const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return ids.map(Number).filter((pid) => pid !== process.pid && belongsTo(root, pid))
}

/** `ps` shows environments on macOS, but no working directories. */
function listProcessesOf(root: string): number[] {
  const { stdout } = spawnSync('ps', ['-axwwE', '-o', 'pid=,command='], { encoding: 'utf8' })
  const own = (stdout ?? '').split('\n').filter((line) => line.includes(`HOME=${root}/`))
  return own.map((line) => Number.parseInt(line, 10)).filter((pid) => pid !== process.pid)
}

/** Synchronous: every scene checks every process, and promises would take ten times as long. */
function belongsTo(root: string, pid: number): boolean {
  try {
    if (readProcFile(`/proc/${pid}/environ`).includes(`HOME=${root}/`)) return true
    return `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${root}/`)
  } catch {
    // It has ended, or belongs to another user.
    return false
  }
}

// Only while the child runs: later its id may belong to another process group.
function killGroup(child: ChildProcess): void {
  if (runs(child)) kill(-child.pid)
}

function runs(child: ChildProcess): child is ChildProcess & { pid: number } {
  return child.pid !== undefined && child.exitCode === null && child.signalCode === null
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function collect(stream: NodeJS.ReadableStream | null): () => string {
  const chunks: Uint8Array[] = []
  stream?.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

function signalNumber(name: NodeJS.Signals | null): number {
  return name === null ? 0 : constants.signals[name]
}
