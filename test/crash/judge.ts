import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { bystanders } from './cases.ts'
import { readStore, type Scenery } from './stage.ts'
import { gitId, identities, linesOf, readTree } from './tree.ts'

/**
 * The judge: I0 no byte lost, I1 all old or all new, I4 nothing else touched, I5 the transcript
 * only grew, files and rows and conversation agree, and no file of ours is left.
 */
export function judge(
  scenery: Scenery,
  allowed: 'old' | 'new' | 'either',
  where: string,
): 'old' | 'new' {
  const { stage: on, case: which, untouched, old, since } = scenery
  const { project } = on.world
  const now = readTree(project)
  const isNew = sameMap(now, linesOf({ ...bystanders, ...which.after }))
  const isOld = sameMap(now, linesOf({ ...bystanders, ...which.before }))
  const transcript = readFileSync(on.transcript, 'utf8')
  const { operation, contents, isCommitted, isTidy } = readStore(on.world, since)

  expect(isNew || isOld, `${where}: mixed tree ${JSON.stringify([...now])}`).toBe(true)
  // A conversation alone leaves the same tree either way.
  const side = which.transcript === undefined ? (isNew ? 'new' : 'old') : sideOfTranscript()
  expect(side === 'new' ? isNew : isOld, `${where}: files ${side}`).toBe(true)
  if (allowed !== 'either') expect(side, where).toBe(allowed)
  expect(isTidy, `${where}: tidy`).toBe(true)
  expect(isCommitted, `${where}: rows`).toBe(side === 'new')
  expect(operation, `${where}: state`).toBe(
    side === 'new' ? 'committed' : operation === null ? null : 'rolled-back',
  )
  expect(identities(project, [...untouched.keys()]), `${where}: bystanders`).toEqual(untouched)
  if (side === 'old') expect(identities(project, [...old.keys()]), `${where}: I4`).toEqual(old)
  for (const [path, entry] of Object.entries(which.before))
    if ('file' in entry && now.get(path)?.endsWith(entry.file) !== true)
      expect(contents.get(gitId(entry.file)), `${where}: I0 ${path}`).toBe(entry.file)
  return side

  function sideOfTranscript(): 'old' | 'new' {
    expect([which.transcript!.before, which.transcript!.after], `${where}: I5`).toContain(
      transcript,
    )
    return transcript === which.transcript!.after ? 'new' : 'old'
  }
}

/** The part of the judgement that holds before the next start: what the user sees. */
export function judgeFiles(
  { stage: on, case: which }: Scenery,
  side: 'old' | 'new',
  where: string,
): void {
  const now = readTree(on.world.project)
  for (const path of now.keys()) if (side === 'new' && path.includes('.retake-')) now.delete(path)
  const tree = side === 'old' ? which.before : which.after
  expect(Object.fromEntries(now), where).toEqual(
    Object.fromEntries(linesOf({ ...bystanders, ...tree })),
  )
  if (which.transcript !== undefined) {
    const expected = side === 'old' ? which.transcript.before : which.transcript.after
    expect(readFileSync(on.transcript, 'utf8'), where).toBe(expected)
  }
}

function sameMap(a: Map<string, string>, b: Map<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
}
