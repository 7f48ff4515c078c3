import { deepEqual, equal, ok } from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { bystanders } from './cases.ts'
import { BytesLost } from '../verifier/bytes-lost.ts'
import { readStore } from '../verifier/read-store.ts'
import type { Scenery, Stage } from './stage.ts'
import { gitId, identities, linesOf, readTree } from '../verifier/tree.ts'

/**
 * Checks the invariants: I0 no byte lost, I1 all old or all new, I4 nothing else touched, I5 the
 * transcript only grew. Files, rows and conversation agree, and no temporary file is left.
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
  const transcript = readTranscript(on)
  const { operation, contents, isCommitted, isTidy } = readStore(on.world.directory, since)

  ok(isNew || isOld, `${where}: mixed tree ${JSON.stringify([...now])}`)
  // An operation on the conversation alone leaves the tree the same.
  const side = which.transcript === undefined ? (isNew ? 'new' : 'old') : sideOfTranscript()
  ok(side === 'new' ? isNew : isOld, `${where}: files are not ${side}`)
  if (allowed !== 'either') equal(side, allowed, `${where}: ${side}, not ${allowed}`)
  ok(isTidy, `${where}: not tidy`)
  equal(isCommitted, side === 'new', `${where}: the rows disagree with the files`)
  const states = side === 'new' ? ['committed'] : ['rolled-back', null]
  ok(states.includes(operation), `${where}: ${operation}`)
  deepEqual(identities(project, [...untouched.keys()]), untouched, `${where}: bystanders`)
  if (side === 'old') deepEqual(identities(project, [...old.keys()]), old, `${where}: I4`)
  for (const [path, entry] of Object.entries(which.before))
    if (
      'file' in entry &&
      !which.left?.includes(path) &&
      now.get(path)?.endsWith(entry.file) !== true
    )
      if (contents.get(gitId(entry.file)) !== entry.file)
        throw new BytesLost(`${where}: I0 ${path}`, entry.file.length)
  return side

  function sideOfTranscript(): 'old' | 'new' {
    const { before, after } = which.transcript!
    ok(transcript === before || transcript === after, `${where}: I5 ${transcript}`)
    const isGone = transcript === null
    if (before === null || after === null)
      deepEqual(readdirSync(on.sessions), isGone ? [] : ['more', 'transcript.jsonl'], where)
    return transcript === after ? 'new' : 'old'
  }
}

/** Checks what the user sees, which must hold even before the next start. */
export function judgeFiles(
  { stage: on, case: which }: Scenery,
  side: 'old' | 'new',
  where: string,
): void {
  const now = readTree(on.world.project)
  for (const path of now.keys()) if (side === 'new' && path.includes('.retake-')) now.delete(path)
  const tree = side === 'old' ? which.before : which.after
  const expectedFiles = Object.fromEntries(linesOf({ ...bystanders, ...tree }))
  deepEqual(Object.fromEntries(now), expectedFiles, `${where}: files are not ${side}`)
  if (which.transcript !== undefined) {
    const expected = side === 'old' ? which.transcript.before : which.transcript.after
    equal(readTranscript(on), expected, `${where}: conversation is not ${side}`)
  }
}

export function readTranscript({ transcript }: Stage): string | null {
  return existsSync(transcript) ? readFileSync(transcript, 'utf8') : null
}

function sameMap(a: Map<string, string>, b: Map<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
}
