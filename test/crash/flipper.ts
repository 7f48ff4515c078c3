/** Swaps a directory for a link to elsewhere and back: `flipper.ts DIRECTORY ELSEWHERE FLIPS`. */
import { renameSync, symlinkSync, unlinkSync } from 'node:fs'

const [directory, elsewhere, flips] = process.argv.slice(2) as [string, string, string]

const parent = process.ppid
for (let count = 0; count < Number(flips); count += 1) {
  if (process.ppid !== parent) process.exit(1)
  attempt(() => renameSync(directory, `${directory}.real`))
  attempt(() => symlinkSync(elsewhere, directory))
  attempt(() => unlinkSync(directory))
  // The attacked process may have created a directory there in the meantime.
  attempt(() => renameSync(directory, `${directory}.made-${count}`))
  attempt(() => renameSync(`${directory}.real`, directory))
}

function attempt(step: () => void): void {
  try {
    step()
  } catch {
    // The next round tries again.
  }
}
