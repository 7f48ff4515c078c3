import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type * as disk from '#disk'
import type * as snapshots from '#snapshots'
import type * as store from '#store'

const root = fileURLToPath(new URL('..', import.meta.url))
const common = { absWorkingDir: root, bundle: true, platform: 'node', format: 'esm' } as const

interface Rooms {
  readonly disk: typeof disk
  readonly snapshots: typeof snapshots
  readonly store: typeof store
}

/**
 * The rooms that are measured inside the bench's process, bundled as they ship: from sources a
 * thread takes twice as long to start, which no user waits for.
 */
export async function loadShippedRooms(directory: string): Promise<Rooms> {
  const names = ['disk', 'snapshots', 'store']
  mkdirSync(directory, { recursive: true })
  writeFileSync(join(directory, 'package.json'), '{ "type": "module" }\n')
  const contents = names.map((name) => `export * as ${name} from '#${name}'`).join('\n')
  const outfile = join(directory, 'rooms.js')
  await build({ ...common, stdin: { contents, resolveDir: root }, outfile })
  const worker = join(directory, 'scan-worker.js')
  await build({ ...common, entryPoints: ['src/disk/scan-worker.ts'], outfile: worker })
  return (await import(pathToFileURL(outfile).href)) as Rooms
}

/** A program of the benches, bundled: sources need thirty megabytes to be compiled. */
export async function bundleProgram(program: URL, directory: string): Promise<string> {
  const outfile = join(directory, 'program.mjs')
  await build({ ...common, entryPoints: [fileURLToPath(program)], outfile })
  return outfile
}
