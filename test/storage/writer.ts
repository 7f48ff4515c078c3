/**
 * Appends numbered lines to a file, about one per millisecond, like an agent, until its input ends.
 */
import { appendFileSync } from 'node:fs'

const path = process.argv[2]!
let n = 0
const timer = setInterval(() => {
  appendFileSync(path, `${JSON.stringify({ type: 'agent', n, text: 'x'.repeat(n % 700) })}\n`)
  n += 1
}, 1)
process.stdin.on('end', () => {
  clearInterval(timer)
  process.stdout.write(String(n))
})
process.stdin.resume()
