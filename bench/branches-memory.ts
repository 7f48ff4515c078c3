/**
 * `branches-memory.ts SESSION` reads the session's tree and log, and prints its peak memory in MB.
 */
import { randomUUID } from 'node:crypto'
import { openMachine, readLog, readTree } from '#engine'
import { readEnvironment } from '../src/cli/environment.ts'

const { places } = readEnvironment(process.env, {})
using machine = openMachine(places, { now: () => new Date(), newId: () => randomUUID() })
const wanted = { session: process.argv[2]!, project: null }
readTree(machine, wanted)
readLog(machine, wanted)
console.log(process.resourceUsage().maxRSS / 1024)
