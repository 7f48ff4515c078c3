import { MARK, type HookEntry } from '../../hook-settings/hook-entry.ts'
import { FULL } from '../../events/spool.ts'

/**
 * The commands that Codex runs as hooks. They keep H1 to H12 of Claude Code's hooks
 * (`claude-code/hooks/install-line.ts`), with what differs in Codex:
 *
 * - Codex runs a hook with the user's login shell, which may be fish. So each command is one word for
 *   `sh` in single quotes, without single quotes and backslashes, which shells read differently.
 * - No variable names the session: it is the first field of the input, so the input is read first.
 * - The hook starts in the session's directory, and `PWD` may contain links.
 * - Codex parses what a hook prints, and shows a hook that exits with another status than 0.
 * - A matcher cannot exclude tools, so the command does.
 * - SessionEnd may take three seconds, and Codex holds its lock on the session until the hook has
 *   ended. So a pending move is carried out by a process that the hook does not wait for.
 * - The text of each command is what users accept. Any change to it makes Codex ask them again.
 */

const READ =
  'umask 077; LC_ALL=C; cd -P .; ' +
  'case $XDG_STATE_HOME in /*) b=$XDG_STATE_HOME;; *) b=$HOME/.local/state;; esac; b=$b/retake; ' +
  'd=$b/spool; j=$(cat); s=${j#*session_id???}; s=${s%%[!0-9A-Za-z_-]*}; ' +
  '[ -d "$d" ] && [ -n "$s" ] || exit 0'

/** Tools that write nothing, or whose edits the rollout records. All others may write unseen. */
const SEEN = [
  'apply_patch',
  'update_plan',
  'view_image',
  'request_user_input',
  'spawn_agent',
  'send_input',
  'send_message',
  'wait_agent',
  'close_agent',
  'resume_agent',
  'list_agents',
  'list_mcp_resources',
  'read_mcp_resource',
  'web_search',
]

const SKIP_SEEN = `case $j in ${SEEN.map((tool) => `*tool_name???${tool}?[,}]*`).join('|')}) exit 0;; esac`

// The name is unique: no other process has this pid now, and files of older ones are skipped.
const KEEP =
  `[ -e "$d/${FULL}" ] || { n=$d/$s.$$; while [ -e "$n.event" ]; do n=$n+; done; ` +
  'printf %s "$j" >"$n.event"; }'

/** Sends a scan request to a process that watches this session's project; false if there is none. */
const ASK =
  'q=$b/looks/$s; [ -f "$q" ] && read -r p t <"$q" && [ "$t" = "$PWD" ] && ' +
  'kill -0 "$p" && r=$q.$$ && true >"$r"'

/** True once it has scanned; false after half a second. Starting `sleep` takes a millisecond. */
const WAIT =
  '{ i=0; while [ -e "$r" ] && [ $i -lt 500 ]; do [ $i -lt 300 ] || sleep 0.002; ' +
  'i=$((i+1)); done; [ ! -e "$r" ] || { rm -f "$r" "$q"; false; }; }'

const ASK_AND_WAIT = `{ ${ASK} && ${WAIT}; }`

const CAN_SCAN = '[ -f "$b/observe" ]'

/** The process that creates the directory scans until no request is due; others add theirs. */
const scanInBackground = (want: string, unless = ''): string =>
  `( exec 5>&-; ${unless}{ w=$b/look.$s; ${want} >>"$w.due"; ` +
  'while [ -e "$w.due" ] && mkdir "$w"; do while [ -e "$w.due" ]; do ' +
  'a=; read -r a <"$w.due"; rm -f "$w.due"; nice -n 5 sh "$b/observe" "$s" ${a:-step}; ' +
  'done; rmdir "$w"; done; } ) </dev/null &'

const STEP = ':'
const MORE = 'echo all'

const OBSERVE = `! ${CAN_SCAN} || ${ASK_AND_WAIT} || sh "$b/observe" "$s" </dev/null`

/** Waits until the process just started offers scans, gives up, or takes too long. */
const WAIT_FOR_OFFER =
  'q=$b/looks/$s; w=$b/look.$s; i=0; ' +
  'while [ ! -f "$q" ] && [ $i -lt 80 ] && { [ $i -lt 8 ] || [ -d "$w" ]; }; do ' +
  'sleep 0.025; i=$((i+1)); done'

/** Sent before the event is stored, so that the other process scans while this shell writes. */
const ASK_FIRST = `{ ${CAN_SCAN} && ${ASK}; } || r=`

const OBSERVE_FIRST =
  `! ${CAN_SCAN} || { [ -n "$r" ] && ${WAIT}; } || ` +
  `{ ${scanInBackground(STEP)} ${WAIT_FOR_OFFER}; ${ASK_AND_WAIT}; }`

/** Does not wait for a server that hangs: the hook of the next step will notice. */
const observeLater = (want: string): string =>
  `! ${CAN_SCAN} || { ${ASK}; } || { ${scanInBackground(want)} }`

/** After the end of a session no hook follows, and a server stops watching it. */
const OBSERVE_LAST = `! ${CAN_SCAN} || { ${scanInBackground(MORE, `${ASK_AND_WAIT} || `)} }`

const FORGET_SCAN = 'w=$b/look.$s; rm -f "$w.due"; rmdir "$w"'

const IS_PENDING = '[ -f "$b/pending/$s" ]'

/** Commands for Retake, as the input encodes a prompt. Retake itself reads it exactly. */
const WORDS = 'prompt.:. */?(retake[: ][a-z]|([Uu][Nn]|[Rr][Ee])[Dd][Oo][ 0-9]*[.!]? *.[,}])'

const ANSWER =
  `if [ -f "$b/hook" ] && { ${IS_PENDING} || printf %s "$j" | grep -Eq "${WORDS}"; }; then ` +
  'printf %s "$j" | sh "$b/hook" UserPromptSubmit codex >&5; fi'

const SHOW_RECEIPT =
  'f=$b/reopened/$s; [ ! -f "$f" ] || { mv "$f" "$f.$$" && cat "$f.$$" >&5; rm -f "$f.$$"; }'

/** macOS has no `setsid`, but it has perl. */
const NEW_PROCESS_SESSION =
  'x=setsid; command -v setsid || x="perl -MPOSIX -esetsid;exec@ARGV"; command -v ${x%% *} || x='

const FOLLOW =
  `if ${IS_PENDING} && [ -f "$b/hook" ]; then ${NEW_PROCESS_SESSION}; ` +
  '( exec 5>&-; printf %s "$j" | $x sh "$b/hook" SessionEnd codex ) & fi'

const ACTS = {
  SessionStart: `${SHOW_RECEIPT}; ${FORGET_SCAN}; ${KEEP}`,
  UserPromptSubmit: `${KEEP}; ${ANSWER}; ${OBSERVE}`,
  PreToolUse: `${SKIP_SEEN}; ${ASK_FIRST}; ${KEEP}; ${OBSERVE_FIRST}`,
  PostToolUse: `${SKIP_SEEN}; ${KEEP}; ${observeLater(STEP)}`,
  SubagentStop: `${KEEP}; ${observeLater(MORE)}`,
  // A failed or interrupted command has no PostToolUse.
  Stop: `${KEEP}; ${observeLater(STEP)}`,
  SessionEnd: `${KEEP}; ${FOLLOW}; ${OBSERVE_LAST}`,
} as const

export type HookEventName = keyof typeof ACTS

/** In seconds. A spool on a hanging file system must not block the user for ten minutes. */
const TIMEOUTS: Partial<Record<HookEventName, number>> = { UserPromptSubmit: 20, SessionEnd: 3 }
const TIMEOUT = 5

/**
 * The entry of each event. `made` is stored in the text, so that uninstalling can undo it exactly.
 */
export function hookEntries(made: readonly string[] = []): [HookEventName, HookEntry][] {
  return (Object.keys(ACTS) as HookEventName[]).map((event) => {
    const begin = event === 'SessionStart' ? [MARK, ...made].join(' ') : MARK
    const script = `exec 5>&1 >/dev/null 2>&1; ${READ}; ${ACTS[event]}; exit 0`
    const command = `${begin}; sh -c '${script}'`
    return [event, { hooks: [{ type: 'command', command, timeout: TIMEOUTS[event] ?? TIMEOUT }] }]
  })
}
