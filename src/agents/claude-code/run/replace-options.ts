import type { CurrentOptions } from '../../runner.ts'

const MODE = '--permission-mode'
const BYPASS = 'bypassPermissions'
const START_BYPASSING = '--dangerously-skip-permissions'
const MAY_BYPASS = '--allow-dangerously-skip-permissions'

/** Replaces what the user has changed inside the session since it was started. */
export function replaceOptions(
  given: readonly string[],
  { model, permissionMode: mode }: CurrentOptions,
): string[] {
  const options = model === null ? given : [...without(given, '--model'), '--model', model]
  const isStarted = given.includes(START_BYPASSING)
  const wasGiven = isStarted ? BYPASS : valueOf(given, MODE)
  if (mode === null || mode === wasGiven) return [...options]
  const mayBypass = isStarted || given.includes(MAY_BYPASS) || wasGiven === BYPASS
  // A transcript alone must not turn permissions off.
  if (mode === BYPASS && !mayBypass) return [...options]
  const others = without(options, MODE).filter(
    (word) => word !== START_BYPASSING && word !== MAY_BYPASS,
  )
  // The user can still press Shift-Tab to bypass permissions again.
  return [...others, ...(mayBypass ? [MAY_BYPASS] : []), MODE, mode]
}

function valueOf(words: readonly string[], option: string): string | null {
  const at = words.findLastIndex((word) => word === option || word.startsWith(`${option}=`))
  if (at < 0) return null
  return words[at] === option ? (words[at + 1] ?? null) : words[at]!.slice(option.length + 1)
}

function without(words: readonly string[], option: string): string[] {
  return words.filter(
    (word, at) => word !== option && !word.startsWith(`${option}=`) && words[at - 1] !== option,
  )
}
