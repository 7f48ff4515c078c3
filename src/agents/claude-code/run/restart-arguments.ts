import type { Restart } from '../../runner.ts'
import { replaceOptions } from './replace-options.ts'

/**
 * The arguments that restart Claude Code on a session that it had open. Keeps what the user gave,
 * except what chose the session, and the first prompt, which would be sent again.
 */

/** Options with one value. */
const VALUE = new Set(
  `--agent --agents --append-system-prompt --append-system-prompt-file --autocompact --debug-file
  --effort --fallback-model --input-format --json-schema --max-budget-usd --max-thinking-tokens
  --max-turns --model --output-format --permission-mode --permission-prompt-tool
  --permission-prompts --plugin-dir --plugin-url --remote-control-session-name-prefix
  --setting-sources --settings --system-prompt --system-prompt-file --system-prompt-snapshot
  --thinking --teammate-mode --advisor --managed-settings -n --name`.split(/\s+/),
)

/** Options that take all words up to the next option. */
const VALUES = new Set(
  `--add-dir --allowedTools --allowed-tools --betas --channels --disallowedTools
  --disallowed-tools --file --mcp-config --tools`.split(/\s+/),
)

/** Options that take the next word, unless it is an option. */
const MAYBE = new Set(['-d', '--debug', '--prompt-suggestions', '--remote-control', '--rc'])

const FLAGS = new Set(
  `--allow-dangerously-skip-permissions --ax-screen-reader --bare --brief --chrome
  --dangerously-skip-permissions --disable-slash-commands --enable-auto-mode
  --exclude-dynamic-system-prompt-sections --ide --no-chrome --restricted --safe-mode
  --strict-mcp-config --verbose`.split(/\s+/),
)

/** Options that chose the session, or apply only to its first start; dropped on a restart. */
const ONCE_VALUE = new Set(['--session-id', '--prefill', '--prefill-b64'])
const ONCE_MAYBE = new Set(['-r', '--resume', '--from-pr', '-w', '--worktree'])
const ONCE_FLAGS = new Set(['-c', '--continue', '--fork-session', '--init', '--maintenance'])

/** With these, no session runs in this terminal, or it is not stored. */
const ELSEWHERE = new Set(
  `-p --print -h --help -v --version --bg --background --cloud --remote --teleport --environment
  --desktop --tmux --no-session-persistence --init-only --sdk-url --web`.split(/\s+/),
)

const COMMANDS = new Set(
  `agents attach auth auto-mode config doctor gateway import install logs mcp migrate-installer
  plugin plugins project purge remote-control respawn rm setup-token stop kill ultrareview update
  upgrade`.split(/\s+/),
)

/** The arguments to keep; null if Claude Code cannot be restarted with them. */
export function keptArguments(given: readonly string[]): string[] | null {
  const kept: string[] = []
  let isFirst = true
  for (let at = 0; at < given.length; at++) {
    const word = given[at]!
    const [name, ...value] = word.split('=')
    const hasValue = value.length > 0
    // Everything after it is the prompt.
    if (word === '--') return kept
    if (!word.startsWith('-') || word === '-') {
      if (isFirst && COMMANDS.has(word)) return null
      isFirst = false
      continue
    }
    if (ELSEWHERE.has(name!)) return null
    const count = hasValue ? 0 : valuesOf(name!, given.slice(at + 1))
    if (count === null) return null
    if (isKept(name!)) kept.push(...given.slice(at, at + 1 + count))
    at += count
  }
  return kept
}

/** How many words after an option are its values; null if that is ambiguous. */
function valuesOf(name: string, behind: readonly string[]): number | null {
  if (VALUE.has(name) || ONCE_VALUE.has(name)) return Math.min(1, behind.length)
  const end = behind.findIndex((word) => word.startsWith('-'))
  const words = end < 0 ? behind.length : end
  if (VALUES.has(name)) return words
  if (MAYBE.has(name) || ONCE_MAYBE.has(name)) return Math.min(1, words)
  if (FLAGS.has(name) || ONCE_FLAGS.has(name)) return 0
  // An unknown option: a word after it could be its value or the prompt.
  return words === 0 ? 0 : null
}

function isKept(name: string): boolean {
  return !ONCE_VALUE.has(name) && !ONCE_MAYBE.has(name) && !ONCE_FLAGS.has(name)
}

/** The system refuses longer arguments. */
const MAX_PREFILL_BYTES = 100_000

/** `given` is what the user typed; null if the agent cannot be restarted with it. */
export function restartArguments(
  given: readonly string[],
  { session, prefill, now }: Restart,
): string[] | null {
  const kept = keptArguments(given)
  if (kept === null) return null
  const fits = prefill !== null && Buffer.byteLength(prefill) <= MAX_PREFILL_BYTES
  const options = now === undefined ? kept : replaceOptions(kept, now)
  // With `=`, because a prompt may look like an option.
  return [...options, '--resume', session, ...(fits ? [`--prefill=${prefill}`] : [])]
}
