/** Storage and compression of the recordings of the real agent. */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { release } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import type { Entry, Tree } from '../house/tree.ts'
import type { Scene } from '../scene.ts'

const place = fileURLToPath(new URL('../fixtures/plays', import.meta.url))
const sdk = new URL(
  '../../node_modules/@anthropic-ai/claude-agent-sdk/package.json',
  import.meta.url,
)
const { version } = JSON.parse(readFileSync(sdk, 'utf8')) as { version: string }

/** A row with names for its long values; plain text if it is not formatted like ours. */
export type Row = string | Readonly<Record<string, unknown>>

/** The name of the recording; null if the script contains code, which cannot be hashed. */
export function nameRecording(made: unknown): string | null {
  let hasCode = false
  const text = JSON.stringify({ version, made }, (_, value: unknown) => {
    if (typeof value === 'function' || value instanceof RegExp) hasCode = true
    return value
  })
  return hasCode ? null : createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** With LONG=1 or another agent version, everything is played again. */
export const playsAgain = (): boolean =>
  process.env['LONG'] !== undefined || process.env['TEST_CLAUDE'] !== undefined

export function readRecording<T>(name: string | null): T | null {
  return name === null || playsAgain() ? null : readPacked<T>(name)
}

export const isRecording = (): boolean => process.env['RECORD'] !== undefined

export async function writeRecording(name: string, recording: object): Promise<void> {
  await mkdir(place, { recursive: true })
  await writePacked(name, recording)
  await writePacked('kept', readKept())
}

/** Compressed, a recording takes a tenth of the space. */
const packed = (name: string): string => join(place, `${name}.json.br`)

function readPacked<T>(name: string): T | null {
  if (!existsSync(packed(name))) return null
  return JSON.parse(brotliDecompressSync(readFileSync(packed(name))).toString()) as T
}

const writePacked = (name: string, value: object): Promise<void> =>
  writeFile(packed(name), brotliCompressSync(JSON.stringify(value)))

/**
 * Longer values are stored once, because most sessions share them (the agent's prompt, its tools).
 */
const LONG_VALUE = 250
let kept: Record<string, unknown> | undefined
const readKept = (): Record<string, unknown> => (kept ??= readPacked('kept') ?? {})

export function fold(line: string): Row {
  const row = JSON.parse(line) as Record<string, unknown>
  if (JSON.stringify(row) !== line) return line
  for (const [key, value] of Object.entries(row)) {
    const text = JSON.stringify(value)
    if (text.length < LONG_VALUE || key === 'message') continue
    const name = createHash('sha256').update(text).digest('hex').slice(0, 16)
    row[key] = { $kept: name }
    readKept()[name] = value
  }
  return row
}

export function unfold(row: Row): string {
  if (typeof row === 'string') return row
  const whole = Object.entries(row).map(([key, value]) => {
    const name = (value as { readonly $kept?: string } | null)?.$kept
    return [key, name === undefined ? value : readKept()[name]]
  })
  return JSON.stringify(Object.fromEntries(whole))
}

/** Placeholder for the name of a scene's directory. */
const SCENE = 'retake-000000'
const ROOT = `/tmp/${SCENE}`
/** The agent's name for the directory of a project's sessions. */
const folderOf = (path: string): string => path.replaceAll('/', '-')

/** Replaces the names of this scene and this machine. */
export const fromScene = ({ root }: Scene, text: string): string =>
  text
    .replaceAll(root, ROOT)
    .replaceAll(folderOf(root), folderOf(ROOT))
    .replaceAll(basename(root), SCENE)
    .replaceAll(release(), '6.1.0')

export const toScene = ({ root }: Scene, text: string): string =>
  text
    .replaceAll(ROOT, root)
    .replaceAll(folderOf(ROOT), folderOf(root))
    .replaceAll(SCENE, basename(root))

/** Bytes in base64. */
type PackedEntry = Entry | { readonly base64: string; readonly mode?: string }
export type PackedTree = Readonly<Record<string, PackedEntry>>

export function packTree(tree: Readonly<Tree>): PackedTree {
  const packed: Record<string, PackedEntry> = {}
  for (const [path, entry] of Object.entries(tree))
    packed[path] =
      entry instanceof Uint8Array
        ? { base64: Buffer.from(entry).toString('base64') }
        : typeof entry === 'object' && 'bytes' in entry
          ? { base64: Buffer.from(entry.bytes).toString('base64'), mode: entry.mode }
          : entry
  return packed
}

export function revive(entry: PackedEntry, here: (text: string) => string): Entry {
  if (typeof entry === 'string') return here(entry)
  if ('base64' in entry) {
    const bytes = new Uint8Array(Buffer.from(entry.base64, 'base64'))
    return entry.mode === undefined ? bytes : { bytes, mode: entry.mode }
  }
  if (entry instanceof Uint8Array) return entry
  if ('text' in entry) return { ...entry, text: here(entry.text) }
  if ('link' in entry) return { link: here(entry.link) }
  return entry
}
