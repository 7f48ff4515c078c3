/** See warm-cli.ts. Runs a verb like bin/retake.js and returns its output. */
import fs, { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import vm from 'node:vm'
import type { WarmRun } from './warm-cli.ts'

type Run = (words: readonly string[]) => Promise<boolean>

const READING = new Set(['sessions', 'log', 'show', 'tree', 'status'])

const cli = process.argv[2]!
const loaded = new Map<string, Run>()

// As in bin/retake.js: Node 22 calls node:sqlite experimental.
process.removeAllListeners('warning')
// Verbs that read write to descriptor 1, which here belongs to all runs.
const writeSync = fs.writeSync
fs.writeSync = ((descriptor: number, bytes: Buffer, ...more: [number?]) => {
  if (descriptor !== 1) return writeSync(descriptor, bytes, ...more)
  const rest = bytes.subarray(more[0])
  process.stdout.write(rest)
  return rest.length
}) as typeof fs.writeSync
process.on('message', (asked: WarmRun) => void answer(asked))
process.on('disconnect', () => process.exit())

async function answer({ words, cwd, env }: WarmRun): Promise<void> {
  const printed = { stdout: '', stderr: '' }
  const restore = [capture('stdout', printed), capture('stderr', printed)]
  process.chdir(cwd)
  process.env = { ...env }
  process.argv = [process.execPath, cli, ...words]
  process.exitCode = undefined
  const isRead = READING.has(words[0]!) && (await load('reading')(words))
  if (!isRead) await load('command')(words)
  for (const each of restore) each()
  // Every run adds a listener, because it expects the process to end afterwards.
  process.stdout.removeAllListeners('error')
  // Ending a scene kills every process in its directory.
  process.chdir('/')
  process.send!({ code: exitCode(), ...printed })
}

function exitCode(): number {
  return Number(process.exitCode ?? 0)
}

function capture(
  name: 'stdout' | 'stderr',
  printed: Record<'stdout' | 'stderr', string>,
): () => void {
  const stream = process[name]
  const write = stream.write.bind(stream)
  const pieces: Buffer[] = []
  stream.write = (piece: string | Uint8Array, ...more: unknown[]) => {
    pieces.push(Buffer.from(piece as Uint8Array))
    const callback = more.find((each) => typeof each === 'function') as (() => void) | undefined
    if (callback !== undefined) queueMicrotask(callback)
    return true
  }
  return () => {
    stream.write = write
    printed[name] = Buffer.concat(pieces).toString('utf8')
  }
}

function load(name: string): Run {
  const known = loaded.get(name)
  if (known !== undefined) return known
  const url = new URL(`../dist/${name}.cjs`, pathToFileURL(cli))
  const source = readFileSync(url, 'latin1')
  const script = new vm.Script(`(function (module, require, here) {${source}\n})`, {
    filename: url.href,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const module = {} as { exports: { run: Run } }
  const evaluate = script.runInThisContext() as (...given: unknown[]) => void
  evaluate(module, (id: string) => process.getBuiltinModule(id), url.href)
  loaded.set(name, module.exports.run)
  return module.exports.run
}
