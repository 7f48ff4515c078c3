/**
 * Sessions that the real agent played once, kept in `test/fixtures/plays`. A start of the agent
 * costs more than most tests, and what it writes for the same prompts and answers is the same.
 *
 * A recording is found by everything that made it: files, prompts, answers and the agent's version.
 * Where there is none, or with LONG=1, the agent plays. `RECORD=1` with one worker writes the missing ones.
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
  /** The project afterwards. */
  readonly files: PackedTree
  /** Transcripts below the agent's directory. */
  readonly transcripts: Readonly<Record<string, readonly Row[]>>
}

/** Makes the scene what it was when the agent had played; plays where that was not recorded. */
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
  return recording.session
}

/** Only what the agent changed is written: git knows the other files by their times. */
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
  const away = (text: string): string => fromScene(s, text)
  const projects = join(s.claudeDir, 'projects')
  const transcripts: Record<string, Row[]> = {}
  for (const file of await readdir(projects, { recursive: true })) {
    if (!/\.(jsonl|json)$/.test(file)) continue
    const text = away(await readFile(join(projects, file), 'utf8'))
    transcripts[away(join('projects', file))] = text.trimEnd().split('\n').map(fold)
  }
  const files = packTree(await readTree(s.project))
  const recording = {
    session,
    ended: Date.now(),
    files: JSON.parse(away(JSON.stringify(files))),
    transcripts,
  }
  await writeRecording(name, recording)
  return session
}

/**
 * What a recording cannot tell again: the repository (but for its index, which any look writes anew),
 * pipes and sockets, and everything outside of the project and the agent's own directories.
 */
export async function describeRest(s: Scene): Promise<string> {
  const { stdout } = await s.run('sh', [
    '-c',
    `find .git -type f ! -name index -exec cksum {} + 2>/dev/null | sort
     find . -not -type f -not -type d -not -type l
     find .. ../home -maxdepth 1 -type f -not -name '.claude*' -exec cksum {} + | sort`,
  ])
  return stdout
}
