import { type ChildProcess, spawn } from 'node:child_process'
import { readFile, readdir, readlink } from 'node:fs/promises'
import { constants } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

export interface RunOptions {
  readonly cwd?: string
  /** Added to the scene's environment; `undefined` takes a variable away. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Standard input; without it the process reads an empty one. */
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

/** The processes of one scene. They all end with it, also those that left their process group. */
export class Processes {
  readonly #root: string
  readonly #children = new Set<ChildProcess>()

  constructor(root: string) {
    this.#root = root
  }

  /** Starts a process in a group of its own, so that its children can be ended with it. */
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
    // A process may end without reading its input; that is its right and not an error here.
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

  /** Ids of the processes that belong to the scene and still run. */
  async running(): Promise<number[]> {
    const ids = new Set<number>()
    for (const child of this.#children) if (runs(child)) ids.add(child.pid)
    for (const pid of await findProcessesOf(this.#root)) ids.add(pid)
    return [...ids]
  }

  /** Ends everything. A process may be forking while it is killed, hence the repetition. */
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
 * A daemon or a `setsid` child has left every group the scene knows. It still carries the
 * scene's home in its environment or stands in the scene's directory.
 */
async function findProcessesOf(root: string): Promise<number[]> {
  if (process.platform !== 'linux') return []
  const ids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const mine = await Promise.all(
    ids.map(async (pid) => {
      if (pid === process.pid) return false
      try {
        if ((await readFile(`/proc/${pid}/environ`, 'utf8')).includes(`HOME=${root}/`)) return true
        return `${await readlink(`/proc/${pid}/cwd`)}/`.startsWith(`${root}/`)
      } catch {
        // It ended meanwhile, or it is another user's and so not ours.
        return false
      }
    }),
  )
  return ids.filter((_, index) => mine[index])
}

// Only while the child runs: afterwards its id may be that of somebody else's group.
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
