/**
 * Whether a shell command leaves a process running behind it, by its text: no hook tells of one,
 * and what it writes later cannot be told from what the user saves.
 */
export function goesOnBehind(command: string): boolean {
  const plain = command.replaceAll(/'[^']*'|"(?:\\.|[^"\\])*"|(?<=^|\s)#.*$|\\./gmu, '_')
  if (/\b(?:disown|setsid)\b/u.test(plain)) return true
  const last = plain.search(/(?<![&<>|])&(?![&>])(?!.*(?<![&<>|])&(?![&>]))/su)
  // What waits for its children ends after them.
  return last >= 0 && !/\bwait\b/u.test(plain.slice(last))
}
