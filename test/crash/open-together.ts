/**
 * Opens the stores of new projects, each at the same moment as all other processes that run this:
 * `open-together.ts DIRECTORY PROJECTS PROCESSES`.
 */
import { appendFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { worldAt } from './world.ts'

const [directory, projects, processes] = process.argv.slice(2) as [string, string, string]
const beat = new Int32Array(new SharedArrayBuffer(4))

for (let number = 0; number < Number(projects); number += 1) {
  const arrivals = join(directory, `arrivals-${number}`)
  appendFileSync(arrivals, '.')
  while (statSync(arrivals).size < Number(processes)) Atomics.wait(beat, 0, 0, 0.2)
  worldAt(join(directory, String(number)))
    .open()
    .close()
}
