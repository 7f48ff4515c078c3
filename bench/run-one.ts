/** Runs one bench and writes its result to a file: `run-one.ts NAME FILE`, started by run.ts. */
import { writeFileSync } from 'node:fs'
import { benches } from './benches.ts'
import type { Measured } from './measured.ts'

const [name, file] = process.argv.slice(2)
let measured: Measured & { failed?: string }
try {
  measured = await (await benches[name!]!()).run()
} catch (error) {
  console.error(error)
  const [failed] = (error instanceof Error ? error.message : String(error)).split('\n', 1)
  measured = { figures: [], failed: failed! }
}
writeFileSync(file!, JSON.stringify(measured))
// Open handles of a failed bench must not delay the next one.
process.exit()
