/** The content of a quoted word, which a shell would run: `sh -c '…'`, `eval "…"`. */
const SCRIPT =
  /\b(?:(?:ba|z|da|k|fi)?sh\s+(?:-\w+\s+)*-\w*c|eval)\s+(?:'([^']*)'|"((?:\\.|[^"\\])*)")/gu

/** Programs that start others in the background. */
const STARTERS =
  /\b(?:disown|setsid|coproc|daemonize|start-stop-daemon|systemd-run)\b|\btmux\s+new\S*\s+(?:-\S+\s+(?:[^-\s]\S*\s+)?)*-\w*d|\bscreen\s+-\w*d/u

/**
 * Whether a shell command leaves a process running in the background, judged by its text. No hook
 * reports such a process, and its later writes look like the user's.
 */
export function leavesProcessRunning(command: string): boolean {
  const text = withoutTyped(command)
  const scripts = [...text.matchAll(SCRIPT)].map(([, single, double]) => single ?? double ?? '')
  if (scripts.some(leavesProcessRunning)) return true
  const plain = text
    .replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"|(?<=^|\s)#.*$|\\./gmu, '_')
    .replaceAll(/\(\([^)]*\)\)/gu, '_')
  if (STARTERS.test(plain)) return true
  const last = [...plain.matchAll(/(?<![&<>|;])&(?![&>])/gu)].at(-1)
  // After a `wait`, no child is left running.
  return last !== undefined && !/\bwait\b/u.test(plain.slice(last.index))
}

/** The command without the text of its heredocs (`cat > page.html <<END`), unless a shell runs it. */
function withoutTyped(command: string): string {
  const kept: string[] = []
  let end: string | null = null
  for (const line of command.split('\n')) {
    if (end !== null) {
      if (line.trim() === end) end = null
      continue
    }
    kept.push(line)
    const heredoc = /(?<!<)<<-?\s*(['"]?)(\w+)\1/u.exec(line)
    if (heredoc === null) continue
    const runs = /\b(?:ba|z|da|k|fi)?sh\b[^|;&]*$/u.test(line.slice(0, heredoc.index))
    if (!runs) end = heredoc[2]!
  }
  return kept.join('\n')
}
