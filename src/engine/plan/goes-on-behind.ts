/**
 * Whether a shell command leaves a process running in the background, judged by its text. No hook
 * reports such a process, and its later writes look like the user's.
 */
export function goesOnBehind(command: string): boolean {
  const plain = command.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"|(?<=^|\s)#.*$|\\./gmu, '_')
  if (/\b(?:disown|setsid)\b/u.test(plain)) return true
  const last = plain.search(/(?<![&<>|])&(?![&>])(?!.*(?<![&<>|])&(?![&>]))/su)
  // After a `wait`, no child is left running.
  return last >= 0 && !/\bwait\b/u.test(plain.slice(last))
}
