import { homedir } from 'node:os'
import { delimiter, resolve } from 'node:path'
import { Failure } from '#failure'
import { absoluteProgram, agentEnvironment, agentPlaces, startedIn, type Places } from '#engine'

/** Everything derived from environment variables, the home directory and the terminal. */
export interface Environment {
  readonly places: Places
  readonly home: string
  /** Colour on standard output. */
  readonly colour: boolean
  /** The terminal can show box-drawing characters. */
  readonly unicode: boolean
  readonly width: number
  /** Cut lines at `width`: standard output is a terminal, or COLUMNS is set. */
  readonly fits: boolean
  /** The pager for long text; null without a terminal or if the user turned it off. */
  readonly pager: string | null
  /** Variables for starting an agent, without those that tell it that it runs inside another. */
  readonly agent: Readonly<Record<string, string | undefined>>
  /** The program that opens a page on the user's screen; null over ssh or without a display. */
  readonly browser: string | null
  /** The startup file of the user's shell; null for an unknown shell. */
  readonly startupFile: string | null
  /** Those of every shell that Retake knows. */
  readonly startupFiles: readonly string[]
  /** The key for speech, from the variables that Google's own tools read. */
  readonly voiceKey: string | null
  /** The session of the agent that started this process, and the agent's process. */
  readonly inside: { readonly session: string; readonly pid: number | null } | null
}

export function readEnvironment(
  env: NodeJS.ProcessEnv,
  out: { isTTY?: boolean; columns?: number },
): Environment {
  const home = env['HOME'] ?? homedir()
  const config = base(env, 'XDG_CONFIG_HOME', `${home}/.config`)
  const startupFiles = startupFilesOf(env, { home, config })
  return {
    places: {
      agents: agentPlaces(env, home),
      config: `${config}/retake`,
      data: `${base(env, 'XDG_DATA_HOME', `${home}/.local/share`)}/retake`,
      cache: `${base(env, 'XDG_CACHE_HOME', `${home}/.cache`)}/retake`,
      state: `${base(env, 'XDG_STATE_HOME', `${home}/.local/state`)}/retake`,
      runtime: `${base(env, 'XDG_RUNTIME_DIR', base(env, 'XDG_STATE_HOME', `${home}/.local/state`))}/retake`,
      home,
      self: [absoluteProgram(process.execPath, env['PATH'] ?? ''), resolve(process.argv[1] ?? '')],
      programs: (env['PATH'] ?? '').split(delimiter).filter((path) => path.startsWith('/')),
      git: {
        excludes: `${config}/git/ignore`,
        configs: gitConfigs(env, { home, config }),
        attributes: ['/etc/gitattributes', `${config}/git/attributes`],
      },
      cwd: process.cwd(),
    },
    home,
    colour: wantsColour(env, out.isTTY === true),
    unicode: env['TERM'] !== 'dumb' && /utf-?8/i.test(localeOf(env)),
    width: widthOf(env, out),
    fits: out.isTTY === true || Number(env['COLUMNS']) > 0,
    pager: out.isTTY === true && env['TERM'] !== 'dumb' ? pagerOf(env) : null,
    agent: agentEnvironment(env),
    browser: browserOf(env),
    startupFile: startupFiles[(env['SHELL'] ?? '').split('/').at(-1)!] ?? null,
    startupFiles: Object.values(startupFiles),
    voiceKey: env['GEMINI_API_KEY']?.trim() || env['GOOGLE_API_KEY']?.trim() || null,
    inside: startedIn(env),
  }
}

/**
 * All configs that some git of this machine reads, weakest first: an `autocrlf` in one of them means
 * that git may hold other bytes than the files.
 */
function gitConfigs(
  env: NodeJS.ProcessEnv,
  { home, config }: { home: string; config: string },
): string[] {
  const brew = env['HOMEBREW_PREFIX']
  const system = [
    '/etc/gitconfig',
    ...(process.platform === 'darwin' ? MAC_GIT_CONFIGS : []),
    ...(env['WSL_DISTRO_NAME'] ? ['/mnt/c/Program Files/Git/etc/gitconfig'] : []),
    ...(brew?.startsWith('/') ? [`${brew}/etc/gitconfig`] : []),
  ]
  const own = [`${config}/git/config`, `${home}/.gitconfig`]
  const named = [env['GIT_CONFIG_SYSTEM'], env['GIT_CONFIG_GLOBAL']]
  return [...new Set([...system, ...own, ...named])].filter(
    (path): path is string => path?.startsWith('/') === true,
  )
}

/** Of Homebrew on both kinds of Mac, of Xcode and of its command line tools. */
const MAC_GIT_CONFIGS = [
  '/opt/homebrew/etc/gitconfig',
  '/usr/local/etc/gitconfig',
  '/Applications/Xcode.app/Contents/Developer/usr/share/git-core/gitconfig',
  '/Library/Developer/CommandLineTools/usr/share/git-core/gitconfig',
]

/** By the name of the shell. */
function startupFilesOf(
  env: NodeJS.ProcessEnv,
  { home, config }: { home: string; config: string },
): Readonly<Record<string, string>> {
  return {
    bash: `${home}/.bashrc`,
    zsh: `${env['ZDOTDIR'] || home}/.zshrc`,
    fish: `${config}/fish/config.fish`,
  }
}

/** `PAGER=` and `PAGER=cat` both mean none. */
function pagerOf(env: NodeJS.ProcessEnv): string | null {
  const pager = env['PAGER'] ?? 'less'
  return pager === '' || pager === 'cat' ? null : pager
}

function browserOf(env: NodeJS.ProcessEnv): string | null {
  if (env['SSH_CONNECTION'] || env['SSH_CLIENT'] || env['SSH_TTY']) return null
  if (process.platform === 'darwin') return 'open'
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? 'xdg-open' : null
}

/** The XDG specification says to ignore relative paths. */
function base(env: NodeJS.ProcessEnv, name: string, otherwise: string): string {
  const value = env[name]
  return value?.startsWith('/') ? value : otherwise
}

function wantsColour(env: NodeJS.ProcessEnv, terminal: boolean): boolean {
  if (env['NO_COLOR']) return false
  if (env['FORCE_COLOR'] && env['FORCE_COLOR'] !== '0') return true
  return terminal && env['TERM'] !== 'dumb' && env['CLICOLOR'] !== '0'
}

function localeOf(env: NodeJS.ProcessEnv): string {
  return env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || 'UTF-8'
}

function widthOf(env: NodeJS.ProcessEnv, out: { columns?: number }): number {
  const wanted = Number(env['COLUMNS']) || out.columns || 100
  return Math.max(40, Math.min(wanted, 200))
}

/** Windows treats open files, locks and links differently, and Retake is not tested there. */
export function refuseUnprovenPlatform(platform: NodeJS.Platform): void {
  if (platform === 'win32')
    throw new Failure('platform-unsupported', 'Retake does not run on Windows yet.', {
      hint: 'Use it inside WSL, where the agent runs as on Linux.',
    })
}
