/**
 * A `sh` loop between the user's shell and the agent. It starts the agent, and starts it again once
 * Retake has ended it. It decides nothing itself, so no crash of a Retake process takes the agent
 * down. Its first argument is the directory of the handover (`handover.ts`), which says what comes
 * next; the rest is the agent's command line.
 *
 * - The agent is a background job, so that a signal to the loop interrupts `wait` and can be passed
 *   on. Both are in one process group, so Ctrl-Z and `fg` reach both.
 * - Descriptor 3 is the terminal: the shell gives background jobs an empty input.
 * - `ending` exists from before Retake ends the agent until the conversation has moved. `by` names
 *   the process that wrote it: if that process dies, the loop continues with `ending` itself.
 * - `trial` is the fallback if a restart fails, for example because of an unknown option.
 * - The prompt hook uses `RETAKE_TERMINAL` to note that the input box is empty.
 * - A killed agent cannot reset the terminal, so the loop does.
 */
export const loopScript = `d=$1; shift
s=$(stty -g 2>/dev/null)
export RETAKE_TERMINAL=$(tty)
exec 3<&0
pass() { kill -s "$1" "$p" 2>/dev/null; }
for n in HUP INT QUIT TERM USR1 USR2; do trap "pass $n" $n; done
by() { read -r b <"$d/by" && kill -0 "$b"; } 2>/dev/null
while :; do
  "$@" <&3 3<&- & p=$!
  wait $p; c=$?
  while kill -0 $p 2>/dev/null; do wait $p; c=$?; done
  n=
  while [ -f "$d/ending" ] && by; do sleep 0.02; done
  if [ -f "$d/next" ]; then n=next
  elif [ -f "$d/ending" ]; then [ $c -ne 143 ] || n=ending
  elif [ -f "$d/trial" ] && [ $c -ne 0 ] && by; then n=trial; fi
  [ -n "$n" ] || break
  . "$d/$n"
  rm -f "$d/$n" "$d/ending"
done
case $c in 129|130|143) ;; *) [ $c -le 128 ] || {
  printf '\\033[?1049l\\033[?25h\\033[?1000l\\033[?1002l\\033[?1003l\\033[?1004l\\033[?1006l\\033[?2004l\\033[?2031l\\033[<u\\033[>4m\\033[0m\\r\\n'
  [ -z "$s" ] || stty "$s"
} 2>/dev/null;; esac
rm -f "$d/record.json" "$d/ending" "$d/next" "$d/trial" "$d/by" "$d/asking" "$d/restarted"; rmdir "$d" 2>/dev/null
exit $c
`

/** Quotes words for `sh`. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
}
