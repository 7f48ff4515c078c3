/**
 * A scene is an isolated world: a project, a home, an agent's directories, a temporary directory,
 * and an environment that knows nothing else. It ends with the test, including all processes.
 *
 * ```ts
 * await using s = await scene({ files: { 'a.txt': '1\n' }, git: true })
 * await using model = await scriptedModel()
 * const agent = claudeCode(s, model)
 * model.on('add b', [[read('a.txt'), write('b.txt', '2\n')], 'done'])
 * const { sessionId } = await agent.prompt('add b')
 * expect(await s.files()).toEqual({ 'a.txt': '1\n', 'b.txt': '2\n' })
 * const { code, stdout } = await s.retake('undo', '--session', sessionId)
 * expect(await s.files()).toEqual({ 'a.txt': '1\n' })
 * ```
 */
import { rmSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, realpath, writeFile } from 'node:fs/promises'
import { tmpdir, type } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { PRETENDING } from './house/pretend-platform.ts'
import { Processes, type RunOptions, type RunResult } from './house/processes.ts'
import { type Entry, type Tree, readTree, writeTree } from './house/tree.ts'
import { runWarm } from './house/warm-cli.ts'

export type { RunOptions, RunResult } from './house/processes.ts'
export type { Entry, Tree } from './house/tree.ts'

export interface SceneOptions {
  /** The project's files: text, bytes, or an `Entry` with mode or link. */
  readonly files?: Readonly<Record<string, Entry>>
  /** Make the project a git repository with these files in its first commit. */
  readonly git?: boolean
  /** The name of the project's directory. */
  readonly name?: string
  /** The parent directory; default: the temporary directory. */
  readonly below?: string
}

export interface Scene extends AsyncDisposable {
  readonly root: string
  readonly project: string
  readonly home: string
  readonly claudeDir: string
  readonly tmp: string
  /** The environment of child processes; only PATH comes from the developer's. */
  readonly env: Readonly<Record<string, string>>
  /** Milliseconds since 1970, the same in every run; each call is one second later. */
  readonly clock: { now(): number }
  readonly processes: Processes
  /** Reads a file as text; the path is relative to the project or absolute. */
  read(path: string): Promise<string>
  write(path: string, content: string | Uint8Array): Promise<void>
  /** The whole project tree (without `.git`), or that of a directory in it, for equality. */
  files(directory?: string): Promise<Tree>
  /** Runs this repository's CLI in the project, in a persistent process if possible. */
  retake(...args: string[] | [...string[], RunOptions]): Promise<RunResult>
  /** Runs any command in the project. */
  run(command: string, args: readonly string[], options?: RunOptions): Promise<RunResult>
}

/** Programs with the options of GNU's. */
const MAC_TOOLS =
  type() === 'Darwin' ? [fileURLToPath(new URL('house/mac-bin', import.meta.url))] : []

const open = new Set<Scene>()

/** Ends the scenes of tests that timed out before their block ended. */
export async function endOpenScenes(): Promise<void> {
  for (const left of open) await left[Symbol.asyncDispose]()
}

const compileCache = fileURLToPath(new URL('../node_modules/.cache/retake-tests', import.meta.url))
/** The build of this test run; without one, the CLI starts from the sources. */
const built = process.env['RETAKE_TEST_CLI']
export const cli = built ?? fileURLToPath(new URL('../bin/retake.js', import.meta.url))

export async function scene({
  files = {},
  git = false,
  name = 'project',
  below = tmpdir(),
}: SceneOptions = {}): Promise<Scene> {
  // Short, because the agent creates sockets below it, whose paths may have 103 bytes. Resolved,
  // because agents name session directories by the resolved path.
  const root = await mkdtemp(join(await realpath(below), 'retake-'))
  const home = join(root, 'home')
  const project = join(root, name)
  const tmp = join(root, 'tmp')
  const env = environment({ root, home, tmp })
  const processes = new Processes(root)
  const claudeDir = join(home, '.claude')

  for (const directory of [project, tmp, claudeDir]) await mkdir(directory, { recursive: true })
  for (const directory of [
    env['XDG_CONFIG_HOME']!,
    env['XDG_DATA_HOME']!,
    env['XDG_STATE_HOME']!,
    env['XDG_CACHE_HOME']!,
    env['XDG_RUNTIME_DIR']!,
  ])
    await mkdir(directory, { recursive: true, mode: 0o700 })
  await writeFile(env['GIT_CONFIG_GLOBAL']!, '[init]\n\tdefaultBranch = main\n')
  await writeTree(project, files)

  let time = Date.UTC(2026, 0, 1)
  const run = (
    command: string,
    args: readonly string[],
    options: RunOptions = {},
  ): Promise<RunResult> =>
    processes.run(command, args, {
      ...options,
      cwd: options.cwd ?? project,
      env: mergeEnvironment(env, options.env),
    })

  const made: Scene = {
    root,
    project,
    home,
    claudeDir,
    tmp,
    env,
    processes,
    clock: { now: () => (time += 1000) },
    read: (path) => readFile(resolve(project, path), 'utf8'),
    async write(path, content) {
      const whole = resolve(project, path)
      await mkdir(dirname(whole), { recursive: true })
      await writeFile(whole, content)
    },
    files: (directory = '.') => readTree(join(project, directory)),
    retake(...given) {
      const args: string[] = []
      let options: RunOptions = {}
      for (const part of given) {
        if (typeof part === 'string') args.push(part)
        else options = part
      }
      const { cwd = project, input, signal, timeoutMs } = options
      // These variables only take effect when a process starts, so start a new one.
      const starts = Object.keys(options.env ?? {}).some((key) => /^(NODE|LD)_/.test(key))
      const isPlain =
        !starts && input === undefined && signal === undefined && timeoutMs === undefined
      const all = mergeEnvironment(env, options.env)
      const warm =
        isPlain && built !== undefined ? runWarm(cli, { words: args, cwd, env: all }) : null
      return warm ?? run(process.execPath, [cli, ...args], options)
    },
    run,
    async [Symbol.asyncDispose]() {
      open.delete(made)
      await processes.end()
      await removeTree(root)
    },
  }
  open.add(made)
  if (git) await commitEverything(made)
  return made
}

function mergeEnvironment(
  base: Readonly<Record<string, string>>,
  more: RunOptions['env'] = {},
): Record<string, string> {
  const merged: Record<string, string> = {}
  for (const [name, value] of Object.entries({ ...base, ...more }))
    if (value !== undefined) merged[name] = value
  return merged
}

function environment(places: {
  root: string
  home: string
  tmp: string
}): Readonly<Record<string, string>> {
  const { root, home, tmp } = places
  const who = { name: 'Scene', email: 'scene@example.invalid', date: '2026-01-01T00:00:00Z' }
  return {
    // The Node that runs the tests comes first, so that scripts do not find an older one.
    PATH: [...MAC_TOOLS, dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
    HOME: home,
    USER: 'scene',
    SHELL: '/bin/sh',
    TERM: 'dumb',
    TMPDIR: tmp,
    // With Node's compile cache, Retake starts in a third of the time.
    NODE_COMPILE_CACHE: compileCache,
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TZ: 'UTC',
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_DATA_HOME: join(home, '.local/share'),
    XDG_STATE_HOME: join(home, '.local/state'),
    XDG_CACHE_HOME: join(home, '.cache'),
    XDG_RUNTIME_DIR: join(root, 'run'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: join(home, '.gitconfig'),
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: who.name,
    GIT_AUTHOR_EMAIL: who.email,
    GIT_AUTHOR_DATE: who.date,
    GIT_COMMITTER_NAME: who.name,
    GIT_COMMITTER_EMAIL: who.email,
    GIT_COMMITTER_DATE: who.date,
    ...PRETENDING,
  }
}

/**
 * Retries, because a test may have made directories unreadable (only root removes them at once),
 * and a scan that a hook started may still be writing.
 */
async function removeTree(root: string): Promise<void> {
  const end = Date.now() + 20_000
  for (;;)
    try {
      return rmSync(root, { recursive: true, force: true })
    } catch (error) {
      if (Date.now() > end) throw error
      await allowAll(root)
      await setTimeout(100)
    }
}

async function allowAll(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true }).catch(() => [])
  for (const entry of entries)
    if (entry.isDirectory())
      await chmod(join(entry.parentPath, entry.name), 0o700).catch(() => undefined)
}

async function commitEverything(s: Scene): Promise<void> {
  for (const args of [
    ['init', '--quiet'],
    ['add', '--all'],
    ['commit', '--quiet', '--allow-empty', '--message', 'Start of the scene'],
  ]) {
    const { code, stderr } = await s.run('git', args)
    if (code !== 0) throw new Error(`git ${args[0]} failed in a new scene: ${stderr}`)
  }
}
