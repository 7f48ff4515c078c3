/**
 * Compares the disk after a fault and the next start with the state before and the state after the
 * same operation without a fault. It shares no code with Retake, so that one bug cannot hide
 * another: it reads trees, transcripts and SQLite itself.
 */
import { checkStores, type StoreChecked } from './check-store.ts'
import { join } from 'node:path'
import { BytesLost } from './bytes-lost.ts'
import { inspect, type Inspection, type Seen } from './inspect.ts'

type Side = 'old' | 'new' | 'same'

export interface Verified {
  readonly side: Side
  readonly wrong: readonly string[]
  readonly bytesLost: number
}

export interface Expected {
  readonly before: Inspection
  /** The state after the same operation without a fault. */
  readonly after: Inspection
  /** The operation had reported success. */
  readonly isDone: boolean
  /** The paths that it reported as changed, if any. */
  readonly named?: readonly string[]
  /** The operation erases stored contents, so replaced bytes need not be in the store. */
  readonly erases?: boolean
}

/** `root` contains `project` and `home`. */
export function verify(root: string, expected: Expected): Verified {
  const now = inspect(root)
  const store = checkStores(join(root, 'home/.local/share/retake'))
  const wrong: string[] = [...store.wrong]
  const files = sideOfFiles(expected, now, wrong)
  const talk = sideOfTranscripts(expected, now, wrong)
  const sides = new Set([files, talk].filter((side) => side !== 'same'))
  if (sides.size > 1) wrong.push(`I1 files are ${files}, the conversation is ${talk}`)
  if (expected.isDone && sides.has('old')) wrong.push('I2 it said done, and it is not')
  checkUntouched(expected, now, wrong)
  const bytesLost = expected.erases === true ? 0 : findLost(expected, now, store, wrong)
  checkNamed(expected, now, wrong)
  return { side: sides.values().next().value ?? 'same', wrong, bytesLost }
}

export function verifyOrThrow(root: string, expected: Expected): Verified['side'] {
  const { side, wrong, bytesLost } = verify(root, expected)
  if (bytesLost > 0) throw new BytesLost(wrong.join('; '), bytesLost)
  if (wrong.length > 0) throw new Error(wrong.join('; '))
  return side
}

/** [I1] */
function sideOfFiles({ before, after }: Expected, now: Inspection, wrong: string[]): Side {
  const asBefore = differing(before.project, now.project)
  const asAfter = differing(after.project, now.project)
  if (differing(before.project, after.project).length === 0 && asBefore.length === 0) return 'same'
  if (asBefore.length === 0) return 'old'
  if (asAfter.length === 0) return 'new'
  wrong.push(`I1 neither old (${asBefore.join()}) nor new (${asAfter.join()})`)
  return 'same'
}

/** [I5] Old bytes stay the beginning of new ones; additions are complete or absent. */
function sideOfTranscripts({ before, after }: Expected, now: Inspection, wrong: string[]): Side {
  const sides = new Set<Side>()
  for (const [path, old] of before.transcripts) {
    const bytes = now.transcripts.get(path)
    const planned = after.transcripts.get(path)
    if (bytes === undefined) {
      if (planned === undefined) sides.add('new')
      else wrong.push(`I5 ${path} is gone`)
      continue
    }
    if (!bytes.subarray(0, old.length).equals(old)) {
      wrong.push(`I5 ${path} does not begin with its old bytes`)
      continue
    }
    const added = shapeOf(bytes.subarray(old.length))
    const wanted = planned === undefined ? '' : shapeOf(planned.subarray(old.length))
    if (added !== '' && added !== wanted) wrong.push(`I1 ${path} got ${added}, not ${wanted}`)
    else if (wanted !== '' || planned === undefined) sides.add(added === '' ? 'old' : 'new')
  }
  const made = newOnes(before, now)
  const wanted = newOnes(before, after)
  if (made !== '' && made !== wanted) wrong.push(`I1 new transcripts ${made}, not ${wanted}`)
  else if (wanted !== '') sides.add(made === '' ? 'old' : 'new')
  if (sides.size > 1) wrong.push('I1 some transcripts are old, some are new')
  return sides.values().next().value ?? 'same'
}

/** The types of rows, because ids and times differ from run to run. */
function shapeOf(bytes: Buffer): string {
  return bytes
    .toString('utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      try {
        return String((JSON.parse(line) as Record<string, unknown>)['type'])
      } catch {
        return `torn (${line.length})`
      }
    })
    .join('+')
}

function newOnes(before: Inspection, now: Inspection): string {
  const shapes = [...now.transcripts].filter(([path]) => !before.transcripts.has(path))
  return shapes
    .map(([, bytes]) => shapeOf(bytes))
    .sort()
    .join(' and ')
}

/** [I4] [I6] A file with the same bytes is still the same file, and no other user file changed. */
function checkUntouched({ before, after }: Expected, now: Inspection, wrong: string[]): void {
  for (const [path, seen] of now.project) {
    const old = before.project.get(path)
    const isLeaf = !seen.line.startsWith('directory')
    const isToChange = old?.line !== after.project.get(path)?.line
    if (old?.line === seen.line && isLeaf && !isToChange && old.identity !== seen.identity)
      wrong.push(`I4 ${path} was written again`)
    if (/(^|\/)\.retake-/.test(path)) wrong.push(`I6 left behind: ${path}`)
  }
  for (const path of differing(before.home, now.home)) {
    // A new session, whose id differs each time, may have a directory beside its transcript.
    const session = /^\.claude\/projects\/[^/]+\/[^/]+/.exec(path)?.[0] ?? ''
    const transcript = `${session}.jsonl`
    if (!before.transcripts.has(transcript) && now.transcripts.has(transcript)) continue
    if (before.home.get(path)?.line === after.home.get(path)?.line) wrong.push(`I4 ~/${path}`)
  }
}

/** [I0] */
function findLost(
  { before }: Expected,
  now: Inspection,
  store: StoreChecked,
  wrong: string[],
): number {
  const standing = new Set([...now.project.values()].map(({ line }) => idIn(line)))
  let bytes = 0
  for (const [path, seen] of before.project) {
    const id = idIn(seen.line)
    if (id === null || now.project.get(path)?.line === seen.line) continue
    if (standing.has(id) || store.contents.has(id)) continue
    wrong.push(`I0 ${path} is lost (${seen.size} bytes)`)
    bytes += Math.max(seen.size, 1)
  }
  return bytes
}

function idIn(line: string): string | null {
  return /^file \d+ ([0-9a-f]{40})$/.exec(line)?.[1] ?? null
}

/** [I7] The reported changes match the real ones. */
function checkNamed({ before, isDone, named }: Expected, now: Inspection, wrong: string[]): void {
  if (!isDone || named === undefined) return
  const leaves = differing(before.project, now.project).filter((path) =>
    [before, now].some(({ project }) => /^(file|link)/.test(project.get(path)?.line ?? '')),
  )
  const reported = new Set(named.map((path) => Buffer.from(path).toString('latin1')))
  const silent = leaves.filter((path) => !reported.has(path))
  if (silent.length > 0) wrong.push(`I7 changed and not reported: ${silent.join()}`)
}

function differing(a: ReadonlyMap<string, Seen>, b: ReadonlyMap<string, Seen>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])].filter(
    (path) => a.get(path)?.line !== b.get(path)?.line,
  )
}
