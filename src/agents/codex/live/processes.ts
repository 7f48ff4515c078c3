import { spawnSync } from 'node:child_process'
import { readSmallFile } from '#disk'
import { startTimeOf } from '../../inspect-process.ts'

export interface CodexProcess {
  /** In ms since 1970; 0 if unknown. */
  readonly startedAt: number
  /** A person uses it at a terminal. */
  readonly interactive: boolean
}

const MAX_BYTES = 1024 * 1024

/** Subcommands of `codex` that show no screen. */
const HEADLESS = new Set([
  'exec',
  'e',
  'review',
  'app-server',
  'mcp-server',
  'exec-server',
  'cloud',
])

/** The server in the background that holds the sessions of every screen. */
const DAEMON = /^-+managed-daemon$/

export function readProcess(pid: number): CodexProcess {
  if (pid === 0) return { startedAt: 0, interactive: false }
  const words = wordsOf(pid)
  return { startedAt: startTimeOf(pid) ?? 0, interactive: words !== null && isInteractive(words) }
}

/** The first word that is a subcommand decides; a prompt with such a word stands behind options. */
export function isInteractive(words: readonly string[]): boolean {
  if (words.some((word) => DAEMON.test(word))) return true
  return !words.slice(1).some((word) => HEADLESS.has(word))
}

function wordsOf(pid: number): string[] | null {
  if (process.platform === 'linux') {
    const said = readSmallFile(`/proc/${pid}/cmdline`, MAX_BYTES)
    return said === null ? null : said.toString('utf8').split('\0').slice(0, -1)
  }
  const { stdout } = spawnSync('ps', ['-o', 'args=', '-p', String(pid)], ENGLISH)
  const said = (stdout ?? '').trim()
  return said === '' ? null : said.split(/\s+/)
}

const ENGLISH = { encoding: 'utf8', env: { PATH: '/bin:/usr/bin', LC_ALL: 'C' } } as const
