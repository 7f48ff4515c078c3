/**
 * Appends numbered lines to files, like a working agent, until its input ends; then prints how
 * many: `append-lines.ts NOW-AND-THEN ALWAYS`. One file gets about a thousand lines a second, the
 * other gets bursts: an operation on a file that never rests would always have to plan again.
 */
import { appendFileSync } from 'node:fs'

const files = process.argv.slice(2)
const counts: Record<string, number> = Object.fromEntries(files.map((file) => [file, 0]))
let ticks = 0
const timer = setInterval(() => {
  ticks += 1
  const isBurst = ticks % 400 < 25
  for (const file of isBurst ? files : files.slice(1))
    try {
      appendFileSync(file, `line ${counts[file]! + 1} of the agent\n`)
      counts[file]! += 1
    } catch {
      // The file is briefly missing; the next tick retries the same line.
    }
}, 1)
process.stdin.on('end', () => {
  clearInterval(timer)
  process.stdout.write(JSON.stringify(counts))
})
process.stdin.resume()
