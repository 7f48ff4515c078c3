/**
 * What stands between the user's shell and the agent: a loop of `sh` that starts the agent, and
 * starts it again when Retake has ended it. It decides nothing itself, so there is no process of
 * Retake whose crash could take the agent along. Its first argument is the directory in which a
 * hand-over (`handover.ts`) says what comes next; the rest starts the agent.
 *
 * - The agent is a background job with the terminal's input, so that a signal for the loop interrupts
 *   `wait` and can be passed on. Both are in one process group: Ctrl-Z and `fg` reach both.
 * - `ending` exists from before Retake ends the agent until the conversation has moved. Its writer
 *   is `by`: if that process dies, `ending` itself says how the session goes on.
 * - `trial` is for a restart that fails, such as with an option that the agent does not know.
 * - `RETAKE_TERMINAL` is for the prompt hook, which notes there that the input box is empty.
 * - An agent that was killed cannot reset the terminal, so the loop does.
 */
export const loopScript = `d=$1; shift
s=$(stty -g 2>/dev/null)
export RETAKE_TERMINAL=$(tty)
pass() { kill -s "$1" "$p" 2>/dev/null; }
for n in HUP INT QUIT TERM USR1 USR2; do trap "pass $n" $n; done
by() { read -r b <"$d/by" && kill -0 "$b"; } 2>/dev/null
while :; do
  "$@" <&0 & p=$!
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

/** Words for `sh`, each as it is. */
export function shellWords(words: readonly string[]): string {
  return words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
}
