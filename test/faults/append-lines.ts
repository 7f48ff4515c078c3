/**
 * Appends numbered lines to files, as an agent at work does, until its input ends, then tells how
 * many: `append-lines.ts NOW-AND-THEN ALWAYS`. To one about a thousand times a second all the time,
 * to the other in bursts: an operation on a file that never rests is always told to plan again.
 */
import { appendFileSync } from 'node:fs'

const files = process.argv.slice(2)
const told: Record<string, number> = Object.fromEntries(files.map((file) => [file, 0]))
let ticks = 0
const timer = setInterval(() => {
  ticks += 1
  const isBurst = ticks % 400 < 25
  for (const file of isBurst ? files : files.slice(1))
    try {
      appendFileSync(file, `line ${told[file]! + 1} of the agent\n`)
      told[file]! += 1
    } catch {
      // For a moment it is not there; the next time it is the same line.
    }
}, 1)
process.stdin.on('end', () => {
  clearInterval(timer)
  process.stdout.write(JSON.stringify(told))
})
process.stdin.resume()
