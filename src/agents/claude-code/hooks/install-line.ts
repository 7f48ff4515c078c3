import { SEEN } from '../steps/index.ts'
import { MARK, type HookEntry } from '../../hook-settings/hook-entry.ts'
import { FULL } from '../../events/spool.ts'

/**
 * The commands that Claude Code runs as hooks. Each is a line of `sh` in the settings themselves: a
 * missing script file would exit with code 2, which blocks the user's prompt.
 *
 * H1  It exits with 0 whatever happens, and prints nothing: both would reach the turn.
 * H2  It reads its input to the end even if it cannot store it: a broken pipe becomes an error row.
 * H3  Each event is a file. A shell cannot append 80 kB in one write, and two hooks of a parallel
 *     batch would interleave in one file.
 * H4  The time of an event is its file's: the same clock stamps the project's files, so that
 *     "written after the step began" never fails by a rounded millisecond.
 * H5  Without a spool directory it does nothing. Retake creates the directory, so that a project's
 *     settings do not fill the disk of a colleague without Retake.
 * H6  Only the user can read events (0600), whatever the umask.
 * H7  At a prompt, Retake scans the files before the agent can change one: undo goes back to that
 *     state. The command for scanning is in a file that Retake keeps up to date. Without a server,
 *     the process that scans stays with the session, so that no step waits until one has started.
 * H8  The hook starts Retake for an answer only if the prompt is a command for it, or a move of
 *     this session is pending. The shell checks both. Only this answer and H14 may produce output.
 * H9  When a session ends, Claude Code waits for one and a half seconds. The process that carries
 *     out a pending move is its own process session: the hook waits for it, and it continues if the
 *     wait ends.
 * H10 After a step that may write unseen, the files are scanned again in the background: the hook
 *     does not wait, the scan has a lower priority than the agent, and several due scans are run as
 *     one. It is no `async` hook: Claude Code 2.1.116 adds a row to the transcript for each of those.
 * H11 While the spool is full, no event is stored: steps without an event become unsure, which
 *     Retake reports. A full disk would be worse. See `spool.ts`.
 * H12 Before such a step the files are scanned too, because what the user typed a moment ago is not
 *     the step's. The hook waits for the scan of a server that watches, or of a process that stays
 *     with the session; the cost follows what changed. If that process has ended, the step starts
 *     one, and waits for two seconds at most. See `scan-requests.ts`.
 * H13 At a prompt in a terminal of `retake claude`, the hook first records that the input box is
 *     empty: what the user types while the hook runs must count. See
 *     `engine/supervise/input-box.ts`.
 * H14 A session that Retake reopened begins with the receipt of the command that did it, because
 *     the screen that showed it is gone.
 */

const SPOOL =
  'case $XDG_STATE_HOME in /*) d=$XDG_STATE_HOME;; *) d=$HOME/.local/state;; esac; d=$d/retake/spool'

// The name is unique: no other process has this pid now, and files of older ones are skipped.
const NAME = 'umask 077; n=$d/$CLAUDE_CODE_SESSION_ID.$$; while [ -e "$n.event" ]; do n=$n+; done'

// With a locale set, each program reads a dozen files before it does anything.
const CAT = 'LC_ALL=C cat'

const KEEP = `[ -d "$d" ] && [ ! -e "$d/${FULL}" ] && { ${NAME}; ${CAT} >"$n.event"; } || ${CAT}`

/**
 * The same for events that may need an answer. The event file is opened for reading before it is
 * written, because a reader of the spool may take it before this shell reads it.
 */
function keepAnd(act: string): string {
  const kept = `{ ${CAT} >"$n.event"; b=\${d%/spool}; ${act}; } 3<"$n.event" 4<"$n.event"`
  return `[ -d "$d" ] && { ${NAME}; true >"$n.event"; } && ${kept} || ${CAT}`
}

/**
 * Sends a scan request to a server that watches this session's project; false if there is none. The
 * offer of a process that was killed is removed, or hooks would not wait for the next one.
 */
const ASK =
  'q=${d%/spool}/looks/$CLAUDE_CODE_SESSION_ID; [ -f "$q" ] && read -r p t <"$q" && ' +
  '[ "$t" = "$CLAUDE_PROJECT_DIR" ] && { kill -0 "$p" || { rm -f "$q"; false; }; } && ' +
  'r=$q.$$ && true >"$r"'

/**
 * True once the server has scanned; false after half a second: it answers within milliseconds, or
 * is busy. The first checks spin for about a millisecond, because starting `sleep` takes longer
 * than all of them.
 */
const WAIT =
  '{ i=0; while [ -e "$r" ] && [ $i -lt 500 ]; do [ $i -lt 300 ] || LC_ALL=C sleep 0.002; ' +
  'i=$((i+1)); done; [ ! -e "$r" ] || { rm -f "$r" "$q"; false; }; }'

const ASK_AND_WAIT = `{ ${ASK} && ${WAIT}; }`

const CAN_SCAN = '[ -f "${d%/spool}/observe" ]'

/**
 * The process that creates the directory scans until no request is due; others only add their
 * request, with a word if it is for more than a step. A scan that died leaves the directory; the
 * next start of the session removes it.
 *
 * This must be a separate shell, not a subshell: a subshell would keep this line's original stdout
 * open, saved under a descriptor above 9, and Claude Code waits until it is closed. It runs at a
 * lower priority than the agent.
 */
const scanInBackground = (
  want: string,
  { unless = '', run = 'nice -n 5 sh' }: { readonly unless?: string; readonly run?: string } = {},
): string =>
  `{ cd "$CLAUDE_PROJECT_DIR"; d=$d ${run} -c '${unless}{ ` +
  `w=\${d%/spool}/look.$CLAUDE_CODE_SESSION_ID; ${want} >>"$w.due"; ` +
  'while [ -e "$w.due" ] && mkdir "$w"; do while [ -e "$w.due" ]; do ' +
  'a=; read -r a <"$w.due"; rm -f "$w.due"; ' +
  'sh "${d%/spool}/observe" "$CLAUDE_CODE_SESSION_ID" ${a:-step}; ' +
  `done; rmdir "$w"; done; }' </dev/null >/dev/null 2>&1 5>&- & }`

const STEP = ':'
const MORE = 'echo all'
const PROMPT = 'echo prompt'

/** Sent before the event is stored, so that the server scans while this shell writes. */
const ASK_FIRST = `{ ${CAN_SCAN} && ${ASK}; } || r=`

/** Waits until the process just started offers scans, gives up, or takes too long. */
const WAIT_FOR_OFFER =
  'w=${d%/spool}/look.$CLAUDE_CODE_SESSION_ID; i=0; ' +
  'while [ ! -f "$q" ] && [ $i -lt 80 ] && { kill -0 $! || [ -d "$w" ]; }; do ' +
  'LC_ALL=C sleep 0.025; i=$((i+1)); done'

const OBSERVE_FIRST =
  `! ${CAN_SCAN} || { [ -n "$r" ] && ${WAIT}; } || ` +
  `{ ${scanInBackground(STEP)}; ${WAIT_FOR_OFFER}; ${ASK_AND_WAIT}; }`

/** Does not wait for a server that hangs: the hook of the next step will notice. */
const observeLater = (want: string): string =>
  `! ${CAN_SCAN} || { ${ASK}; } || ${scanInBackground(want)}`

/** After the end of a session no hook follows, and a server stops watching it. */
const OBSERVE_LAST = `! ${CAN_SCAN} || ${scanInBackground(MORE, { unless: `${ASK_AND_WAIT} || ` })}`

/**
 * Starts the process that stays, for the commands that will follow, and waits until it has scanned:
 * it removes the request. It lowers its priority after that. At most 18 seconds, or until it ended.
 */
const START_AND_WAIT =
  'r=$b/looks/$CLAUDE_CODE_SESSION_ID.$$; true >"$r" && { ' +
  `${scanInBackground(PROMPT, { run: 'sh' })}; w=$b/look.$CLAUDE_CODE_SESSION_ID; i=0; ` +
  'while [ -e "$r" ] && [ $i -lt 720 ] && { kill -0 $! || [ -d "$w" ]; }; do ' +
  'LC_ALL=C sleep 0.025; i=$((i+1)); done; rm -f "$r"; }'

const OBSERVE =
  `[ ! -f "$b/observe" ] || ${ASK_AND_WAIT} || { ${START_AND_WAIT}; } || ` +
  '{ cd "$CLAUDE_PROJECT_DIR"; sh "$b/observe" "$CLAUDE_CODE_SESSION_ID" </dev/null; }'

const FORGET_SCAN = 'w=${d%/spool}/look.$CLAUDE_CODE_SESSION_ID; rm -f "$w.due"; rmdir "$w"'

const IS_PENDING = '[ -f "$b/pending/$CLAUDE_CODE_SESSION_ID" ]'

/** Commands for Retake at the start of a prompt, as the event encodes them. */
const WORDS =
  '"prompt":" */?(retake:(undo|redo|rewind|log)|([Uu][Nn]|[Rr][Ee])[Dd][Oo][ 0-9]*[.!]? *")'

const ANSWER =
  `if [ -f "$b/hook" ] && { ${IS_PENDING} || grep -Eq '${WORDS}' <&3; }; ` +
  `then sh "$b/hook" UserPromptSubmit <&4 >&5; fi; ${OBSERVE}`

/** Enter has just emptied the input box: keys from now on are text that could be lost. */
const NOTE_EMPTY_BOX =
  '[ -z "$RETAKE_TERMINAL" ] || LC_ALL=C touch -ac -t 200001010000 "$RETAKE_TERMINAL"'

/** If hooks are installed twice, only one of them succeeds in renaming the file. */
const SHOW_RECEIPT =
  'f=${d%/spool}/reopened/$CLAUDE_CODE_SESSION_ID; ' +
  `[ ! -f "$f" ] || { mv "$f" "$f.$$" && ${CAT} "$f.$$" >&5; rm -f "$f.$$"; }`

/** macOS has no `setsid`, but it has perl. */
const NEW_PROCESS_SESSION =
  'set -- setsid; command -v setsid || set -- perl -MPOSIX -esetsid\\;exec@ARGV; ' +
  'command -v "$1" || set --'

const FOLLOW =
  `if ${IS_PENDING} && [ -f "$b/hook" ]; then ${NEW_PROCESS_SESSION}; ` +
  `"$@" sh "$b/hook" SessionEnd <&4 & wait $!; fi`

/**
 * Makes every shell command of the session record its start and end as two empty files. Claude Code
 * puts this text before each command, in the same shell. So it sets no variable and starts no
 * process. It uses `true` because a failed redirection of `:` ends a POSIX shell, `>|` because of
 * `noclobber`, and leaves no status that `set -e` could take for the command's. Paths that cannot
 * be quoted get no stamps, and text that is already in the file is left alone.
 */
const STAMP =
  'case $d in *[\\\'\\"\\$\\`\\\\]*) ;; *) [ ! -d "$d" ] || [ -z "$CLAUDE_ENV_FILE" ] || [ -s "$CLAUDE_ENV_FILE" ] || ' +
  `printf '%s\\n' "{ true >|'$d/'\\$CLAUDE_CODE_SESSION_ID.\\$\\$.start; } 2>/dev/null || true; ` +
  `trap \\"{ true >|'$d/\\$CLAUDE_CODE_SESSION_ID.\\$\\$.end'; } 2>/dev/null || true\\" EXIT" ` +
  '>>"$CLAUDE_ENV_FILE";; esac'

/**
 * Without `Stop`: each of its hooks, silent or not, adds a `stop_hook_summary` row to the user's
 * transcript. Retake reads the end of a turn from the transcript instead.
 */
const EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'SubagentStop',
  'SessionEnd',
] as const

type HookEventName = (typeof EVENTS)[number]

const MATCHER = `^(?!(${SEEN})$)`

/** In seconds. A spool on a hanging file system must not block the user for a minute. */
const TIMEOUT = 5
/** The first scan of a large project takes longer than any later one. */
const SCAN_TIMEOUT = 20

/**
 * The entry of each event. `made` is stored in the text, so that uninstalling can undo it exactly.
 */
export function hookEntries(made: readonly string[] = []): [HookEventName, HookEntry][] {
  return EVENTS.map((event) => {
    const begin = event === 'SessionStart' ? [MARK, ...made].join(' ') : MARK
    const answer = ['SessionStart', 'UserPromptSubmit'].includes(event) ? '5>&1 ' : ''
    const command = `${begin}; { ${SPOOL}; ${actOf(event)}; } ${answer}>/dev/null 2>&1; exit 0`
    const timeout = event === 'UserPromptSubmit' ? SCAN_TIMEOUT : TIMEOUT
    const hooks = [{ type: 'command' as const, command, timeout }]
    return [event, event.includes('ToolUse') ? { matcher: MATCHER, hooks } : { hooks }]
  })
}

function actOf(event: HookEventName): string {
  if (event === 'SessionStart') return `${STAMP}; ${SHOW_RECEIPT}; ${FORGET_SCAN}; ${KEEP}`
  if (event === 'UserPromptSubmit') return `${NOTE_EMPTY_BOX}; ${keepAnd(ANSWER)}`
  if (event === 'PreToolUse') return `${ASK_FIRST}; ${KEEP}; ${OBSERVE_FIRST}`
  // No hook marks the end of a turn: the scan after its last such step covers everything.
  if (event === 'SubagentStop') return `${KEEP}; ${observeLater(MORE)}`
  if (event === 'SessionEnd') return `${keepAnd(FOLLOW)}; ${OBSERVE_LAST}`
  return `${KEEP}; ${observeLater(STEP)}`
}
