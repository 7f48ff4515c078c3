/** Takes the lock of a world's project, says so, and keeps it: `hold-lock.ts WORLD`. */
import { takeWriter } from '../../src/store/index.ts'
import { worldAt } from './world.ts'

const writer = await takeWriter(worldAt(process.argv[2]!).open())
process.stdout.write('held\n')
// Ends with the process that started it.
process.stdin.resume()
process.stdin.on('end', () => writer.release())
