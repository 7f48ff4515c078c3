import { SEEN } from '../steps/index.ts'
import { FULL } from '../../events/spool.ts'

/**
 * What Claude Code runs for us. A line of `sh`, the same for all events but three, that stands in
 * the settings themselves: a script beside them that went missing would end with exit code 2, and
 * that blocks the user's prompt.
 *
 * H1  It ends with 0 whatever happens, and writes nothing to its output: both would reach the turn.
 * H2  Its input is read to the end even when it cannot be kept: a broken pipe is an error row.
 * H3  An event is a file of its own. A shell cannot append 80 kB with one write, and two hooks of
 *     a parallel batch would be mixed up in one file.
 * H4  The time of an event is its file's: the same clock that stamps the project's files, so that
 *     "written after the step began" never fails by a rounded millisecond.
 * H5  Without a spool directory it does nothing. Retake makes it, so that a project's settings do
 *     not fill the disk of a colleague who has no Retake.
 * H6  Events are the user's alone to read (0600), whatever the umask.
 * H7  At a prompt the files are looked at before the agent can change one: what stood there then is
 *     what undo goes back to. How to look stands in a file that Retake keeps up to date.
 * H8  Retake is started to answer only where the prompt is a word for it, or a move of this session
 *     is pending: both are told in the shell. Its answer is the only thing that H1 lets through.
 * H9  When a session ends, Claude Code waits for a second and a half. What asserts a pending move is
 *     a session of its own: it is waited for, and goes on by itself when the wait is over.
 * H10 After a step that may write unseen they are looked at again, behind the agent's back: the hook
 *      does not wait for it, it gives way to the agent, and of several that are due at once one is run.
 * H11 While the spool is full nothing is kept: a step that nobody told of is in doubt, and that is
 *      said, but a full disk would be worse. See `spool.ts`.
 * H12 Before such a step they are looked at too: what the user typed a moment ago is not the step's.
 *      The hook waits for the look of a server that watches, or of a process that stays with the
 *      session; it costs what changed. The first step of a session starts that process, and waits
 *      for two seconds at most. See `looks.ts`.
 * H13 At a prompt in a terminal of `retake claude` it notes that the input box is empty now, first of
 *      all: what the user types while the hook runs must count. See `engine/supervise/input-box.ts`.
 * H14 A session that Retake has reopened begins with the receipt of the command that did it: the
 *      screen on which it was shown is gone. That and H8 are all that H1 lets through.
 */

/** How each of our commands begins; the words after it say what the installation made. */
const MARK = ': retake'

const SPOOL =
  'case $XDG_STATE_HOME in /*) d=$XDG_STATE_HOME;; *) d=$HOME/.local/state;; esac; d=$d/retake/spool'

// The name is free: no other process has this number now, and an older one's file is stepped over.
const NAME = 'umask 077; n=$d/$CLAUDE_CODE_SESSION_ID.$$; while [ -e "$n.event" ]; do n=$n+; done'

// In a locale of its own each program of the system reads a dozen files before it does anything.
const CAT = 'LC_ALL=C cat'

const KEEP = `[ -d "$d" ] && [ ! -e "$d/${FULL}" ] && { ${NAME}; ${CAT} >"$n.event"; } || ${CAT}`

/**
 * The same for events that may need an answer. They are opened for reading before they are
 * written: whoever takes events out of the spool can be quicker than this shell.
 */
function keepAnd(act: string): string {
  const kept = `{ ${CAT} >"$n.event"; b=\${d%/spool}; ${act}; } 3<"$n.event" 4<"$n.event"`
  return `[ -d "$d" ] && { ${NAME}; true >"$n.event"; } && ${kept} || ${CAT}`
}

/** Makes a request of a server that watches where this session works; false when none does. */
const ASK =
  'q=${d%/spool}/looks/$CLAUDE_CODE_SESSION_ID; [ -f "$q" ] && read -r p t <"$q" && ' +
  '[ "$t" = "$CLAUDE_PROJECT_DIR" ] && kill -0 "$p" && r=$q.$$ && true >"$r"'

/**
 * True when the server has looked; false when it did not in half a second: it answers within some
 * milliseconds, or has other things to do. The first checks follow at once, a millisecond's worth:
 * starting `sleep` takes longer than all of them.
 */
const WAIT =
  '{ i=0; while [ -e "$r" ] && [ $i -lt 500 ]; do [ $i -lt 300 ] || LC_ALL=C sleep 0.002; ' +
  'i=$((i+1)); done; [ ! -e "$r" ] || { rm -f "$r" "$q"; false; }; }'

const ASK_AND_WAIT = `{ ${ASK} && ${WAIT}; }`

const OBSERVE =
  `[ ! -f "$b/observe" ] || ${ASK_AND_WAIT} || ` +
  '{ cd "$CLAUDE_PROJECT_DIR"; sh "$b/observe" "$CLAUDE_CODE_SESSION_ID" </dev/null; }'

const CAN_LOOK = '[ -f "${d%/spool}/observe" ]'

/**
 * Whoever can make the directory looks until nobody wants it any more; the others only say that
 * they do, with a word if it is more than a step. A look that died leaves the directory: the next
 * start of the session removes it.
 *
 * A shell of its own, not a part of this one: that would keep the output which this line began
 * with, put aside under a number above 9, and Claude Code waits until nobody has it open any more.
 * It gives way to the agent's own work.
 */
const lookBehind = (want: string, unless = ''): string =>
  `{ cd "$CLAUDE_PROJECT_DIR"; d=$d nice -n 5 sh -c '${unless}{ ` +
  `w=\${d%/spool}/look.$CLAUDE_CODE_SESSION_ID; ${want} >>"$w.due"; ` +
  'while [ -e "$w.due" ] && mkdir "$w"; do while [ -e "$w.due" ]; do ' +
  'a=; read -r a <"$w.due"; rm -f "$w.due"; ' +
  'sh "${d%/spool}/observe" "$CLAUDE_CODE_SESSION_ID" ${a:-step}; ' +
  `done; rmdir "$w"; done; }' </dev/null >/dev/null 2>&1 & }`

const STEP = ':'
const MORE = 'echo all'

/** Asked for before the event is kept, so that the server looks while this shell writes. */
const ASK_FIRST = `{ ${CAN_LOOK} && ${ASK}; } || r=`

/** Until the process that was just started offers its looks, gives up, or takes too long. */
const WAIT_FOR_OFFER =
  'w=${d%/spool}/look.$CLAUDE_CODE_SESSION_ID; i=0; ' +
  'while [ ! -f "$q" ] && [ $i -lt 80 ] && { [ $i -lt 8 ] || [ -d "$w" ]; }; do ' +
  'LC_ALL=C sleep 0.025; i=$((i+1)); done'

const OBSERVE_FIRST =
  `! ${CAN_LOOK} || { [ -n "$r" ] && ${WAIT}; } || ` +
  `{ ${lookBehind(STEP)}; ${WAIT_FOR_OFFER}; ${ASK_AND_WAIT}; }`

/** Nobody waits for a server that hangs: the next step's hook will find that out. */
const observeLater = (want: string): string => `! ${CAN_LOOK} || { ${ASK}; } || ${lookBehind(want)}`

/** After a session's end there is no next hook, and a server lets go of it. */
const OBSERVE_LAST = `! ${CAN_LOOK} || ${lookBehind(MORE, `${ASK_AND_WAIT} || `)}`

const FORGET_LOOK = 'w=${d%/spool}/look.$CLAUDE_CODE_SESSION_ID; rm -f "$w.due"; rmdir "$w"'

const IS_PENDING = '[ -f "$b/pending/$CLAUDE_CODE_SESSION_ID" ]'

/** Words for Retake, at the beginning of a prompt as it stands in the event. */
const WORDS =
  '"prompt":" */?(retake:(undo|redo|rewind|log)|([Uu][Nn]|[Rr][Ee])[Dd][Oo][ 0-9]*[.!]? *")'

const ANSWER =
  `if [ -f "$b/hook" ] && { ${IS_PENDING} || grep -Eq '${WORDS}' <&3; }; ` +
  `then sh "$b/hook" UserPromptSubmit <&4 >&5; fi; ${OBSERVE}`

/** Enter has just emptied the input box: keys that are read from now on are text that may be lost. */
const NOTE_EMPTY_BOX =
  '[ -z "$RETAKE_TERMINAL" ] || LC_ALL=C touch -ac -t 200001010000 "$RETAKE_TERMINAL"'

/** Of several hooks that are in, one can rename it. */
const TELL_RECEIPT =
  'f=${d%/spool}/reopened/$CLAUDE_CODE_SESSION_ID; ' +
  `[ ! -f "$f" ] || { mv "$f" "$f.$$" && ${CAT} "$f.$$" >&5; rm -f "$f.$$"; }`

const FOLLOW =
  `if ${IS_PENDING} && [ -f "$b/hook" ]; then s=setsid; command -v setsid || s=; ` +
  `$s sh "$b/hook" SessionEnd <&4 & wait $!; fi`

/**
 * Lets every shell command of the session stamp its start and end: two empty files. Claude Code
 * puts the text before each command, in the same shell, hence: no variable, no other process,
 * `true` because a failed redirection of `:` ends a POSIX shell, `>|` because of `noclobber`, and
 * no status that `set -e` could take for the command's. A path that quoting cannot hold gets none,
 * and text that stands in the file already, ours or another's, is left alone.
 */
const STAMP =
  'case $d in *[\\\'\\"\\$\\`\\\\]*) ;; *) [ ! -d "$d" ] || [ -z "$CLAUDE_ENV_FILE" ] || [ -s "$CLAUDE_ENV_FILE" ] || ' +
  `printf '%s\\n' "{ true >|'$d/'\\$CLAUDE_CODE_SESSION_ID.\\$\\$.start; } 2>/dev/null || true; ` +
  `trap \\"{ true >|'$d/\\$CLAUDE_CODE_SESSION_ID.\\$\\$.end'; } 2>/dev/null || true\\" EXIT" ` +
  '>>"$CLAUDE_ENV_FILE";; esac'

/**
 * `Stop` is not among them: each of its hooks, silent or not, leaves a `stop_hook_summary` row in
 * the user's transcript. The end of a turn is read there.
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

export type HookEventName = (typeof EVENTS)[number]

const MATCHER = `^(?!(${SEEN})$)`

/** Seconds. A spool on a file system that hangs must not hold the user up for a minute. */
const TIMEOUT = 5
/** The first look at a large project takes longer than any later one. */
const TIMEOUT_TO_LOOK = 20

export interface HookEntry {
  readonly matcher?: string
  readonly hooks: readonly {
    readonly type: 'command'
    readonly command: string
    readonly timeout: number
  }[]
}

/** The entry of each event. `made` is kept in the text, so that it can be taken back exactly. */
export function hookEntries(made: readonly string[] = []): [HookEventName, HookEntry][] {
  return EVENTS.map((event) => {
    const begin = event === 'SessionStart' ? [MARK, ...made].join(' ') : MARK
    const answer = ['SessionStart', 'UserPromptSubmit'].includes(event) ? '5>&1 ' : ''
    const command = `${begin}; { ${SPOOL}; ${actOf(event)}; } ${answer}>/dev/null 2>&1; exit 0`
    const timeout = event === 'UserPromptSubmit' ? TIMEOUT_TO_LOOK : TIMEOUT
    const hooks = [{ type: 'command' as const, command, timeout }]
    return [event, event.includes('ToolUse') ? { matcher: MATCHER, hooks } : { hooks }]
  })
}

function actOf(event: HookEventName): string {
  if (event === 'SessionStart') return `${STAMP}; ${TELL_RECEIPT}; ${FORGET_LOOK}; ${KEEP}`
  if (event === 'UserPromptSubmit') return `${NOTE_EMPTY_BOX}; ${keepAnd(ANSWER)}`
  if (event === 'PreToolUse') return `${ASK_FIRST}; ${KEEP}; ${OBSERVE_FIRST}`
  // A turn has no hook at its end: after its last step that may write unseen, all is seen.
  if (event === 'SubagentStop') return `${KEEP}; ${observeLater(MORE)}`
  if (event === 'SessionEnd') return `${keepAnd(FOLLOW)}; ${OBSERVE_LAST}`
  return `${KEEP}; ${observeLater(STEP)}`
}

/** What an installation made, if the command is one of ours; null if it is somebody else's. */
export function readMark(command: unknown): string[] | null {
  if (typeof command !== 'string') return null
  const ours = /^: retake((?: [A-Za-z-]+)*);/.exec(command)
  return ours === null ? null : ours[1]!.split(' ').filter(Boolean)
}
