import { appendFileSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listSessionFiles, openSession, openSessionIndex } from '../agent/claude-parts.ts'
import { glance } from '../../src/agents/claude-code/session/glance.ts'
import { readTranscript, type Transcript } from '../../src/agents/claude-code/rows/transcript.ts'
import { Failure } from '../../src/failure.ts'
import { buildTree } from '../../src/timeline/index.ts'
import { unaccountedBytes } from './account.ts'
import type { Fuzzed } from './fuzz.ts'

/**
 * CPU time, as the machine may be busy. Reading 10 MB may take 2 s, and these files are smaller.
 */
const MAX_MS = 2000

/** Reads one file in every way; returns what is wrong, or null. */
export function checkFuzzed(config: string, path: string, { bytes }: Fuzzed): string | null {
  const directory = join(path, '..')
  writeNew(path, bytes)
  const before = { names: readdirSync(directory).join(), time: statSync(path).mtimeMs }
  const start = process.cpuUsage()
  const wrong = tryReading(config, path, bytes.length)
  const { user, system } = process.cpuUsage(start)
  const took = (user + system) / 1000
  if (wrong !== null) return wrong
  if (took > MAX_MS) return `reading took ${Math.round(took)} ms`
  const after = { names: readdirSync(directory).join(), time: statSync(path).mtimeMs }
  if (after.names !== before.names || after.time !== before.time) return 'something was written'
  if (!readFileSync(path).equals(bytes)) return 'the file was changed'
  return checkGrowth(path, bytes)
}

function tryReading(config: string, path: string, size: number): string | null {
  try {
    const [file] = listSessionFiles(config)
    glance(file!)
    const session = openSession(config, file!, openSessionIndex(null))
    const { transcript, conversation } = session
    const left = unaccountedBytes(transcript, size)
    if (left !== 0) return `${left} bytes are not accounted for`
    const rows = transcript.rows.filter((row) => row.type !== 'progress' || row.sidechain).length
    const shown = conversation.turns.flatMap((turn) => [...turn.rows, ...turn.asides])
    const inTurns = new Set([...shown, ...conversation.preamble]).size
    if (inTurns !== rows) return `${rows - inTurns} rows are in no turn`
    const turns = conversation.turns.map(({ turn }) => turn)
    const tree = buildTree(file!.id, turns, conversation.head)
    if (tree.turns.size !== turns.length) return 'two turns have one id'
    const inTree = new Set(tree.branches.flatMap((branch) => branch.turns)).size
    if (inTree !== turns.length) return `${turns.length - inTree} turns are on no branch`
    if (tree.head !== null && !tree.places.has(tree.head)) return 'the head is not on the line'
    // Turns are shown and sent over the wire, so they must be plain data.
    for (const { id } of turns) JSON.stringify(session.readTurn(id))
    return null
  } catch (error) {
    return error instanceof Failure ? null : `${path}: ${(error as Error).stack ?? String(error)}`
  }
}

/** Reading a file in two parts, cut anywhere, must give the same as reading it at once. */
function checkGrowth(path: string, bytes: Buffer): string | null {
  const cut = Math.floor(bytes.length / 3)
  const whole = contentOf(readTranscript(path))
  writeNew(path, bytes.subarray(0, cut))
  const part = readTranscript(path)
  appendFileSync(path, bytes.subarray(cut))
  const grown = contentOf(readTranscript(path, part))
  return grown === whole ? null : `read in two goes (cut at ${cut}) it comes out otherwise`
}

/** Removes the file first, because overwriting makes some file systems wait for the disk. */
function writeNew(path: string, bytes: Buffer): void {
  rmSync(path, { force: true })
  writeFileSync(path, bytes)
}

function contentOf(transcript: Transcript): string {
  const { rows, pointers, checkpoints, titles, damage, opaque, opaqueBytes, blankBytes } =
    transcript
  const counts = [opaque, opaqueBytes, blankBytes]
  return JSON.stringify([rows, pointers, checkpoints, titles, damage, counts])
}
