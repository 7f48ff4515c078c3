/**
 * Sessions that the real agent played once, kept in `test/fixtures/plays`. Starting the agent takes
 * longer than most tests, and for the same prompts and answers it writes the same.
 *
 * A recording is named by its inputs: files, prompts, answers and the agent's version. Without a
 * recording, or with LONG=1, the agent plays. `RECORD=1` with one worker writes missing recordings.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Tree, readTree, writeTree } from '../house/tree.ts'
import type { Scene } from '../scene.ts'
import {
  fold,
  fromScene,
  isRecording,
  type PackedTree,
  packTree,
  readRecording,
  revive,
  type Row,
  toScene,
  unfold,
  writeRecording,
} from './recordings.ts'

interface Recording {
  readonly session: string
  readonly ended: number
  /** The project's files after the play. */
  readonly files: PackedTree
  /** Transcripts below the agent's directory. */
  readonly transcripts: Readonly<Record<string, readonly Row[]>>
  /** Files below the scene's root: the agent's checkpoints, and what it wrote beside the project. */
  readonly around?: PackedTree
}

/** Restores the scene from a recording; plays the session if there is none. */
export async function recallOrPlay(
  s: Scene,
  name: string | null,
  play: () => Promise<string>,
): Promise<string> {
  const recalled = await recall(s, name)
  if (recalled !== null) return recalled
  return name === null || !isRecording() ? play() : record(s, name, play)
}

async function recall(s: Scene, name: string | null): Promise<string | null> {
  const recording = readRecording<Recording>(name)
  if (recording === null) return null
  const here = (text: string): string => toScene(s, text)
  await writeChanged(s, recording.files, here)
  const later = Date.now() - recording.ended
  for (const [file, lines] of Object.entries(recording.transcripts)) {
    const to = join(s.claudeDir, here(file))
    await mkdir(dirname(to), { recursive: true })
    const text = lines.map((row) => `${here(moveTimes(unfold(row), later))}\n`).join('')
    await writeFile(to, text, { mode: 0o600 })
  }
  await writeAround(s, recording.around ?? {}, here)
  return recording.session
}

/** Writes only what the agent changed, because git recognizes the other files by their times. */
async function writeChanged(
  s: Scene,
  files: PackedTree,
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

/** Shifts the times of rows, so that the session has just ended. */
function moveTimes(line: string, later: number): string {
  return line
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g, (time) =>
      new Date(Date.parse(time) + later).toISOString(),
    )
    .replaceAll(/(?<=[:,[])1[78]\d{11}(?=[,}\]])/g, (time) => String(Number(time) + later))
}

/** Records the result of a play, unless it changed more than a recording can hold. */
async function record(s: Scene, name: string, play: () => Promise<string>): Promise<string> {
  const before = await describeRest(s)
  const aroundBefore = await readAround(s)
  const session = await play()
  if ((await describeRest(s)) !== before) return session
  const away = (text: string): string => fromScene(s, text)
  const projects = join(s.claudeDir, 'projects')
  const transcripts: Record<string, Row[]> = {}
  for (const file of await readdir(projects, { recursive: true })) {
    if (!/\.(jsonl|json)$/.test(file)) continue
    const text = away(await readFile(join(projects, file), 'utf8'))
    transcripts[away(join('projects', file))] = text.trimEnd().split('\n').map(fold)
  }
  const files = packTree(await readTree(s.project))
  const around = packTree(newIn(await readAround(s), aroundBefore))
  const recording: Recording = {
    session,
    ended: Date.now(),
    files: JSON.parse(away(JSON.stringify(files))) as PackedTree,
    transcripts,
    ...(Object.keys(around).length === 0
      ? {}
      : { around: JSON.parse(away(JSON.stringify(around))) as PackedTree }),
  }
  await writeRecording(name, recording)
  return session
}

/**
 * What a recording cannot restore: the repository (except the index, which any scan rewrites),
 * pipes and sockets, and everything outside the project and the agent's directories except
 * `readAround`.
 */
export async function describeRest(s: Scene): Promise<string> {
  const { stdout } = await s.run('sh', [
    '-c',
    `find .git -type f ! -name index -exec cksum {} + 2>/dev/null | sort
     find . -not -type f -not -type d -not -type l
     find ../home -maxdepth 1 -type f -not -name '.claude*' -exec cksum {} + | sort`,
  ])
  return stdout
}

const CHECKPOINTS = 'home/.claude/file-history'

/** The agent's checkpoints and the files in the scene's root, by path below that root. */
export async function readAround(s: Scene): Promise<Tree> {
  const around: Tree = {}
  for (const entry of await readdir(s.root, { withFileTypes: true }))
    if (entry.isFile()) around[entry.name] = await readFile(join(s.root, entry.name), 'utf8')
  const copies = await readTree(join(s.root, CHECKPOINTS)).catch((): Tree => ({}))
  for (const [path, entry] of Object.entries(copies)) around[`${CHECKPOINTS}/${path}`] = entry
  return around
}

export const newIn = (now: Tree, before: Tree): Tree =>
  Object.fromEntries(
    Object.entries(now).filter(
      ([path, entry]) => JSON.stringify(entry) !== JSON.stringify(before[path]),
    ),
  )

export async function writeAround(
  s: Scene,
  around: PackedTree,
  here: (text: string) => string,
): Promise<void> {
  const tree: Tree = {}
  for (const [path, entry] of Object.entries(around)) tree[here(path)] = revive(entry, here)
  await writeTree(s.root, tree)
}
