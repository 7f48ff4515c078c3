/** `node test/care/appends.long.ts 1000`: the same for longer. */
import { race } from './appends.ts'

const moves = Number(process.argv[2] ?? 1000)
const { written, moved, missing } = await race(moves)
console.log(`${moved} moves, ${written} lines of another writer, ${missing.length} lost`)
if (missing.length > 0) {
  console.error(missing.slice(0, 5).join('\n'))
  process.exitCode = 1
}
