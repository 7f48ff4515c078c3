/**
 * Sessions that the real agent played once, kept in `test/fixtures/plays`. A start of the agent
 * costs more than most tests, and what it writes for the same prompts and answers is the same.
 *
 * A recording is found by everything that made it: files, prompts, answers and the agent's version.
 * Where there is none, or with LONG=1, the agent plays. `RECORD=1` with one worker writes the missing ones.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { release } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { type Entry, type Tree, readTree, writeTree } from '../house/tree.ts'
import type { Scene } from '../scene.ts'

const place = fileURLToPath(new URL('../fixtures/plays', import.meta.url))
const sdk = new URL(
  '../../node_modules/@anthropic-ai/claude-agent-sdk/package.json',
  import.meta.url,
)
const { version } = JSON.parse(readFileSync(sdk, 'utf8')) as { version: string }

/** Stands for the name of a scene's directory, wherever that is. */
const SCENE = 'retake-000000'
const ROOT = `/tmp/${SCENE}`
/** As the agent names the directory of a project's sessions. */
const folderOf = (path: string): string => path.replaceAll('/', '-')

interface Recording {
  readonly session: string
  readonly ended: number
  /** The project afterwards; bytes in base64. */
  readonly files: Readonly<Record<string, Entry | { readonly base64: string; mode?: string }>>
  /** Transcripts below the agent's directory. */
  readonly transcripts: Readonly<Record<string, readonly Row[]>>
}

/** A row, with names for its long values; as text where it was written in another manner than ours. */
type Row = string | Readonly<Record<string, unknown>>

/** The name of the recording, or null where a script has code in it, which has no name. */
export function nameRecording(made: unknown): string | null {
  let hasCode = false
  const text = JSON.stringify({ version, made }, (_, value: unknown) => {
    if (typeof value === 'function' || value instanceof RegExp) hasCode = true
    return value
  })
  return hasCode ? null : createHash('sha256').update(text).digest('hex').slice(0, 16)
}

/** Makes the scene what it was when the agent had played; plays where that was not recorded. */
export async function recallOrPlay(
  s: Scene,
  name: string | null,
  play: () => Promise<string>,
): Promise<string> {
  const recalled = await recall(s, name)
  if (recalled !== null) return recalled
  return name === null || process.env['RECORD'] === undefined ? play() : record(s, name, play)
}

async function recall(s: Scene, name: string | null): Promise<string | null> {
  if (name === null || process.env['LONG'] !== undefined) return null
  const recording = readPacked<Recording>(name)
  if (recording === null) return null
  const here = (text: string): string =>
    text
      .replaceAll(ROOT, s.root)
      .replaceAll(folderOf(ROOT), folderOf(s.root))
      .replaceAll(SCENE, basename(s.root))
  await writeChanged(s, recording.files, here)
  const later = Date.now() - recording.ended
  for (const [file, lines] of Object.entries(recording.transcripts)) {
    const to = join(s.claudeDir, here(file))
    await mkdir(dirname(to), { recursive: true })
    const text = lines.map((row) => `${here(moveTimes(unfold(row), later))}\n`).join('')
    await writeFile(to, text, { mode: 0o600 })
  }
  return recording.session
}

/** Only what the agent changed is written: git knows the other files by their times. */
async function writeChanged(
  s: Scene,
  files: Recording['files'],
  here: (text: string) => string,
): Promise<void> {
  const before = await readTree(s.project)
  const after: Tree = {}
  for (const [path, entry] of Object.entries(files)) after[path] = revive(entry, here)
  const changed = Object.entries(after).filter(
    ([path, entry]) => JSON.stringify(entry) !== JSON.stringify(before[path]),
  )
  for (const path of Object.keys(before))
    if (after[path] === undefined || changed.some(([other]) => other === path))
      await rm(join(s.project, path), { recursive: true, force: true })
  await writeTree(s.project, Object.fromEntries(changed))
}

function revive(entry: Recording['files'][string], here: (text: string) => string): Entry {
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

/** Times of rows, so that the session has just ended. */
function moveTimes(line: string, later: number): string {
  return line
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) =>
      new Date(Date.parse(time) + later).toISOString(),
    )
    .replaceAll(/(?<=[:,[])1[78]\d{11}(?=[,}\]])/g, (time) => String(Number(time) + later))
}

/** Keeps what a play leaves, unless it changed more than a recording can tell. */
async function record(s: Scene, name: string, play: () => Promise<string>): Promise<string> {
  const before = await describeRest(s)
  const session = await play()
  if ((await describeRest(s)) !== before) return session
  const away = (text: string): string =>
    text
      .replaceAll(s.root, ROOT)
      .replaceAll(folderOf(s.root), folderOf(ROOT))
      .replaceAll(basename(s.root), SCENE)
      .replaceAll(release(), '6.1.0')
  const projects = join(s.claudeDir, 'projects')
  const transcripts: Record<string, Row[]> = {}
  for (const file of await readdir(projects, { recursive: true })) {
    if (!/\.(jsonl|json)$/.test(file)) continue
    const text = away(await readFile(join(projects, file), 'utf8'))
    transcripts[away(join('projects', file))] = text.trimEnd().split('\n').map(fold)
  }
  const files: Record<string, unknown> = {}
  for (const [path, entry] of Object.entries(await readTree(s.project)))
    files[path] =
      entry instanceof Uint8Array
        ? { base64: Buffer.from(entry).toString('base64') }
        : typeof entry === 'object' && 'bytes' in entry
          ? { base64: Buffer.from(entry.bytes).toString('base64'), mode: entry.mode }
          : entry
  const recording = {
    session,
    ended: Date.now(),
    files: JSON.parse(away(JSON.stringify(files))),
    transcripts,
  }
  await mkdir(place, { recursive: true })
  await writePacked(name, recording)
  await writePacked('kept', readKept())
  return session
}

/** Packed, a recording takes a tenth of its room. */
const packed = (name: string): string => join(place, `${name}.json.br`)

function readPacked<T>(name: string): T | null {
  if (!existsSync(packed(name))) return null
  return JSON.parse(brotliDecompressSync(readFileSync(packed(name))).toString()) as T
}

const writePacked = (name: string, value: object): Promise<void> =>
  writeFile(packed(name), brotliCompressSync(JSON.stringify(value)))

/**
 * What a recording cannot tell again: the repository (but for its index, which any look writes anew),
 * pipes and sockets, and everything outside of the project and the agent's own directories.
 */
async function describeRest(s: Scene): Promise<string> {
  const { stdout } = await s.run('sh', [
    '-c',
    `find .git -type f ! -name index -exec cksum {} + 2>/dev/null | sort
     find . -not -type f -not -type d -not -type l
     find .. ../home -maxdepth 1 -type f -not -name '.claude*' -exec cksum {} + | sort`,
  ])
  return stdout
}

/** Most values are the same in all sessions (the agent's prompt, its tools): they are kept once. */
const LONG_VALUE = 250
let kept: Record<string, unknown> | undefined
const readKept = (): Record<string, unknown> => (kept ??= readPacked('kept') ?? {})

function fold(line: string): Row {
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

function unfold(row: Row): string {
  if (typeof row === 'string') return row
  const whole = Object.entries(row).map(([key, value]) => {
    const name = (value as { readonly $kept?: string } | null)?.$kept
    return [key, name === undefined ? value : readKept()[name]]
  })
  return JSON.stringify(Object.fromEntries(whole))
}
