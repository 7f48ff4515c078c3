import { chdir } from 'node:process'
import { Failure } from '#failure'

const WITH_VALUE = ['--project', '--session']

/** Moves the verb to the front: as with git, `-C DIR` and common options may precede it. */
export function startingWithVerb(all: readonly string[]): string[] {
  const moved: string[] = []
  let at = 0
  for (; at < all.length; at++) {
    const word = all[at]!
    if (word === '-C' && at + 1 < all.length) goTo(all[++at]!)
    else if (WITH_VALUE.includes(word) && at + 1 < all.length) moved.push(word, all[++at]!)
    else if (word === '--json' || WITH_VALUE.some((name) => word.startsWith(`${name}=`)))
      moved.push(word)
    else break
  }
  const rest = all.slice(at)
  if (rest.length === 0) return moved
  // Before `--`, because all words after it are paths.
  const end = rest.includes('--') ? rest.indexOf('--') : rest.length
  return [...rest.slice(0, end), ...moved, ...rest.slice(end)]
}

function goTo(directory: string): void {
  try {
    chdir(directory)
  } catch (cause) {
    throw new Failure('usage', `There is no directory ${directory}.`, { cause })
  }
}
