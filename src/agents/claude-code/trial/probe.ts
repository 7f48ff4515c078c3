import { spawn } from 'node:child_process'
import { makeScratch } from '#disk'
import { closedEnvironment } from './closed-environment.ts'
import { openProbeModel } from './probe-model.ts'
import { isObeyed, writeProbeSession } from './probe-session.ts'

export interface Probe {
  readonly version: string
  /** The user's own program. */
  readonly program: string
  /** Where it finds other programs that it needs, such as Node. */
  readonly directories: readonly string[]
  /** Where its temporary home directory is created. */
  readonly scratch: string
  /** The time limit of each run. */
  readonly timeoutMs: number
  readonly at: Date
  newId(): string
}

export type ProbeAnswer = 'obeys' | 'does-not' | 'another-version'

/**
 * Runs the user's Claude Code on test sessions and checks what it sends to the model: whether it
 * continues where the lines that Retake appends point to. It gets a temporary home, a local model
 * and no network access; everything is deleted afterwards.
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
    runBounded(probe.program, args, { cwd, env: environment, timeoutMs: probe.timeoutMs })

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

/** A port without a listener: connections that would leave the machine fail here. */
const DEAD_PROXY = 'http://127.0.0.1:9'

/** Takes nothing from the user's environment except where programs are. */
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
    ...closedEnvironment({ url, key, proxy: DEAD_PROXY }),
  }
}

/** Kills the process group even if Retake itself was killed meanwhile. */
function watchdog(seconds: number): string {
  return `(sleep ${seconds} && kill -9 0) </dev/null >/dev/null 2>&1 &`
}

const MAX_OUTPUT = 64 * 1024

/** Its output until it exits or times out. Kills its whole process group at the end. */
async function runBounded(
  program: string,
  args: readonly string[],
  { cwd, env, timeoutMs }: { cwd: string; env: Record<string, string>; timeoutMs: number },
): Promise<string> {
  const seconds = Math.ceil(timeoutMs / 1000) + 1
  const child = spawn('/bin/sh', ['-c', `${watchdog(seconds)} exec "$0" "$@"`, program, ...args], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  let said = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < MAX_OUTPUT) said += text
  })
  const kill = (): void => {
    if (child.pid === undefined) return
    try {
      process.kill(-child.pid, 'SIGKILL')
    } catch {
      // The group has already exited.
    }
  }
  const timer = setTimeout(kill, timeoutMs)
  // Another process may keep its output open, so its own exit counts.
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
