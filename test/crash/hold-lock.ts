/** Takes the project lock of a world, reports it, and holds it: `hold-lock.ts WORLD`. */
import { takeWriter } from '../../src/store/index.ts'
import { worldAt } from './world.ts'

const writer = await takeWriter(worldAt(process.argv[2]!).open())
process.stdout.write('held\n')
// Ends when the parent process closes the pipe.
process.stdin.resume()
process.stdin.on('end', () => writer.release())
