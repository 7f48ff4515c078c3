import { spawn } from 'node:child_process'
import { makeScratch } from '#disk'
import { closedEnvironment } from './closed-environment.ts'
import { openProbeModel } from './probe-model.ts'
import { isObeyed, writeProbeSession } from './probe-session.ts'

export interface Probe {
  readonly version: string
  /** The user's own program. */
  readonly program: string
  /** Where it finds what it needs to run, such as Node. */
  readonly directories: readonly string[]
  /** Below which it gets a home for the time. */
  readonly scratch: string
  /** How long each of its runs may take. */
  readonly patienceMs: number
  readonly at: Date
  newId(): string
}

export type ProbeAnswer = 'obeys' | 'does-not' | 'another-version'

/**
 * Runs the user's Claude Code on sessions of ours and looks at what it sends to the model: whether
 * it goes on where the lines that Retake appends tell it to. It has a home of its own, a model of
 * ours, and no way out to the network; nothing of it stays.
 */
export async function probeVersion(probe: Probe): Promise<ProbeAnswer> {
  const { version } = probe
  using scratch = makeScratch(probe.scratch)
  const home = `${scratch.path}/home`
  const cwd = `${scratch.path}/work`
  const config = `${home}/.claude`
  for (const name of ['home', 'home/.claude', 'work', 'tmp']) scratch.makeDirectory(name)
  const key = `sk-ant-${probe.newId()}`
  await using model = await openProbeModel(key)
  const environment = environmentOf(probe, {
    root: scratch.path,
    home,
    config,
    key,
    url: model.url,
  })
  const start = (args: readonly string[]): Promise<string> =>
    runBounded(probe.program, args, { cwd, env: environment, patienceMs: probe.patienceMs })

  const said = await start(['--version'])
  if (/^\d+\.\d+\.\d+[^\s]*/.exec(said.trim())?.[0] !== version)
    return said === '' ? 'does-not' : 'another-version'
  const facts = {
    version,
    config,
    cwd,
    at: probe.at,
    newId: () => probe.newId(),
    write: (path: string, text: string) => scratch.write(path.slice(scratch.path.length + 1), text),
  }
  for (const moved of ['undone', 'redone'] as const) {
    const session = writeProbeSession(moved, facts)
    const before = model.asked.length
    await start(['-p', session.prompt, '--resume', session.id, '--output-format', 'json'])
    if (!isObeyed(model.asked.slice(before), session)) return 'does-not'
  }
  return 'obeys'
}

/** A port on which nobody listens: whatever wants to leave the machine ends there. */
const NOWHERE = 'http://127.0.0.1:9'

/** Nothing of the user's own environment but where programs are. */
function environmentOf(
  { directories }: Probe,
  place: { root: string; home: string; config: string; key: string; url: string },
): Record<string, string> {
  const { root, home, config, key, url } = place
  return {
    PATH: directories.join(':'),
    HOME: home,
    CLAUDE_CONFIG_DIR: config,
    TMPDIR: `${root}/tmp`,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_STATE_HOME: `${home}/.local/state`,
    XDG_CACHE_HOME: `${home}/.cache`,
    LANG: 'C.UTF-8',
    ...closedEnvironment({ url, key, proxy: NOWHERE }),
  }
}

/** Ends the group also when Retake itself has been killed meanwhile. */
function watchdog(seconds: number): string {
  return `(sleep ${seconds} && kill -9 0) </dev/null >/dev/null 2>&1 &`
}

const MOST_SAID = 64 * 1024

/** What it said until it ended, or until its time was over. Nothing of its group lives on. */
async function runBounded(
  program: string,
  args: readonly string[],
  { cwd, env, patienceMs }: { cwd: string; env: Record<string, string>; patienceMs: number },
): Promise<string> {
  const seconds = Math.ceil(patienceMs / 1000) + 1
  const child = spawn('/bin/sh', ['-c', `${watchdog(seconds)} exec "$0" "$@"`, program, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < MOST_SAID) said += text
  })
  const kill = (): void => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // All of it has ended.
    }
  }
  const timer = setTimeout(kill, patienceMs)
  // Another process may hold its output open; what counts is that the program itself has ended.
  await new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => resolve())
    child.once('exit', () => setTimeout(resolve, 200))
  })
  clearTimeout(timer)
  kill()
  child.stdout.destroy()
  return said
}
