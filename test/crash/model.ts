/**
 * Random histories on one project: users act, and operations are applied, die, fail and are
 * recovered. The model is two trees: the one before and the planned one. Afterwards the project
 * must equal one of them, with a matching conversation and nothing lost.
 */
import { deepEqual, equal, ok } from 'node:assert/strict'
import { lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import * as fc from 'fast-check'
import { appendStep } from './steps.ts'
import type { Fault } from '../../src/disk/index.ts'
import { applyPlan, recover, type OperationPlan } from '../../src/journal/index.ts'
import { checkStore, putContent } from '../../src/store/index.ts'
import type { ContentId, ProjectPath, Value } from '../../src/timeline/index.ts'
import { BytesLost } from '../verifier/bytes-lost.ts'
import { readContent } from '../verifier/read-store.ts'
import { gitId, readTree } from '../verifier/tree.ts'
import { act, performUserAct, type Act, type OperationAct } from './model-acts.ts'
import { live, recoverStage, stage, type Stage } from './stage.ts'

type Lines = ReadonlyMap<string, string>

const LENGTH = 25
const DAY = 25 * 60 * 60 * 1000

/** Counts, to prove that something was tested. */
export interface Counts {
  acts: number
  readonly outcomes: Record<string, number>
}

/** Runs about `acts` acts. A failing history is shrunk and reported with its seed. */
export async function checkModel(acts: number, seed: number): Promise<Counts> {
  const counts: Counts = { acts: 0, outcomes: {} }
  await fc.assert(
    fc.asyncProperty(
      fc.array(act, { minLength: LENGTH, maxLength: LENGTH }),
      async (history: Act[]) => {
        using on = stage()
        mkdirSync(on.sessions)
        writeFileSync(on.transcript, '{"first":1}\n')
        for (const each of history) {
          await step(on, each, counts)
          counts.acts += 1
        }
      },
    ),
    { numRuns: Math.ceil(acts / LENGTH), seed },
  )
  return counts
}

async function step(on: Stage, each: Act, counts: Counts): Promise<void> {
  if (each.does === 'operate') return operate(on, each, counts)
  if (each.does === 'a-day-later')
    return equal((await live(on, [], recover, { now: () => Date.now() + DAY })).error, undefined)
  if (each.does === 'check') {
    const { database, contents } = checkStore(on.world.open(), { readData: true })
    return deepEqual({ database, contents }, { database: [], contents: [] })
  }
  if ('path' in each) performUserAct(on.world.project, each)
}

async function operate(on: Stage, each: OperationAct, counts: Counts): Promise<void> {
  const { project } = on.world
  const before = readTree(project)
  const { after, changes, remove } = planned(before, each)
  const talk = { before: readFileSync(on.transcript, 'utf8'), line: `{"undo":${counts.acts}}\n` }
  const { ino, size } = lstatSync(on.transcript, { bigint: true })
  const plan: OperationPlan = {
    verb: 'undo',
    session: 's',
    details: null,
    changes: each.mishap === 'stale' ? stale(changes) : changes,
    directories: { remove: remove as ProjectPath[] },
    ...(each.talks
      ? {
          conversation: appendStep('toy', {
            path: on.transcript,
            inode: ino,
            size: Number(size),
            bytes: Buffer.from(talk.line),
          }),
        }
      : {}),
  }
  const edit: Edit = { path: join(project, changes[0]?.path ?? 'a'), text: `saved ${counts.acts}\n`, over: null } // prettier-ignore
  const stop = new AbortController()
  const faults = faultsOf(each, edit, stop)
  const life = await live(
    on,
    faults,
    (journal) => applyPlan(journal, plan, { signal: stop.signal }),
    {
      prepare(store) {
        for (const line of after.values())
          if (line.startsWith('file ')) putContent(store, Buffer.from(textIn(line)))
      },
    },
  )
  if (each.mishap === 'die-twice') await recoverStage(on, { kind: 'die', at: each.again })
  const recovery = await recoverStage(on)
  equal(recovery.error, undefined)
  deepEqual((await recoverStage(on)).result, [], 'recovered twice')
  const said = life.result?.kind
  const name = `${each.mishap}: ${said ?? 'ended'}`
  counts.outcomes[name] = (counts.outcomes[name] ?? 0) + 1

  const now = readTree(project)
  const talked = readFileSync(on.transcript, 'utf8')
  ok(talked === talk.before || talked === talk.before + talk.line, 'I5')
  ok(![...now.keys()].some((path) => path.includes('.retake-')), 'I6')
  if (edit.over !== null) {
    const old = [...before.values()].filter((line) => textIn(line) !== edit.over)
    return keptAll(on, [...old, `file 644 ${edit.text}`], now)
  }
  const isNew = same(now, after)
  const isOld = same(now, before)
  ok(isNew || isOld, `I1: ${JSON.stringify([...before])} ${JSON.stringify([...after])} ${JSON.stringify([...now])}`) // prettier-ignore
  if (said === 'done') ok(isNew, 'I2: said done')
  if (said === 'refused' || said === 'rolled-back') ok(isOld, 'said not done')
  if (each.talks && !(isNew && isOld))
    equal(talked !== talk.before, isNew, 'files and conversation')
  keptAll(on, [...before.values()], now)
}

/** The plan's changes, and the resulting tree. */
function planned(before: Lines, { changes: wanted, tidies }: OperationAct) {
  const after = new Map(before)
  const touched = new Set<string>()
  for (const { path, to, text } of wanted) {
    const old = after.get(path)
    const below = [...after.keys()].filter((each) => each.startsWith(`${path}/`))
    const parents = parentsOf(path)
    if (touched.has(path) || [...below, ...parents].some((each) => touched.has(each))) continue
    const line = lineOf(to, text, old)
    if (line === undefined) {
      if (old === undefined || old.startsWith('directory')) continue
      after.delete(path)
    } else {
      // A file in the way becomes a directory; a directory is replaced by this file, with all below
      // it.
      for (const parent of parents)
        if (after.get(parent)?.startsWith('directory') !== true) {
          if (after.has(parent)) touched.add(parent)
          after.set(parent, 'directory 755')
        }
      for (const each of below) {
        after.delete(each)
        if (before.get(each)?.startsWith('directory') === false) touched.add(each)
      }
      after.set(path, line)
    }
    touched.add(path)
  }
  const remove = tidies ? emptied(before, after) : []
  const changes = [...touched].map((path) => ({
    path: path as ProjectPath,
    pre: valueOf(before.get(path)),
    post: valueOf(after.get(path)),
  }))
  return { after: after as Lines, changes, remove }
}

/** Removes directories that the changes emptied, innermost first. */
function emptied(before: Lines, after: Map<string, string>): string[] {
  const gone: string[] = []
  for (const path of [...after.keys()].sort().toReversed()) {
    if (!after.get(path)!.startsWith('directory')) continue
    const has = (lines: Lines) => [...lines.keys()].some((each) => each.startsWith(`${path}/`))
    if (!has(before) || has(after)) continue
    gone.push(path)
    after.delete(path)
  }
  return gone
}

function lineOf(to: string, text: string, old: string | undefined): string | undefined {
  if (to === 'gone') return undefined
  if (to === 'link') return `link ${text.length}`
  if (to === 'empty') return 'file 600 '
  if (to === 'same-text-other-mode' && old?.startsWith('file ') === true)
    return `file ${old.startsWith('file 755') ? '644' : '755'} ${textIn(old)}`
  return `file 644 ${text}!`
}

function faultsOf(
  { mishap, at, again, errno }: OperationAct,
  edit: Edit,
  stop: AbortController,
): Fault[] {
  const spaces = ['create', 'write', 'symlink', 'makeDirectory', 'transaction']
  switch (mishap) {
    case 'none':
    case 'stale':
      return []
    case 'die':
    case 'die-twice':
      return [{ kind: 'die', at }]
    case 'tear':
      return [{ kind: 'tear', at }]
    case 'fail':
      return [{ kind: 'fail', at, errno }]
    case 'fail-then-die':
      return [
        { kind: 'fail', at, errno },
        { kind: 'die', at: at + again },
      ]
    case 'stays-full':
      return [{ kind: 'fail-on', at, errno: 'ENOSPC', calls: spaces }]
    case 'stays-read-only':
      return [{ kind: 'fail-on', at, errno: 'EROFS', calls: [...spaces, 'rename', 'link', 'unlink', 'sync'] }] // prettier-ignore
    case 'stopped':
      return [{ kind: 'meanwhile', at, act: () => stop.abort() }]
    case 'saved-meanwhile':
      return [{ kind: 'meanwhile', at, act: () => save(edit) }]
  }
}

interface Edit {
  readonly path: string
  readonly text: string
  /** What the save replaced, which counts as the user's own act; null if it was not saved. */
  over: string | null
}

function save(edit: Edit): void {
  try {
    const stat = lstatSync(edit.path, { throwIfNoEntry: false })
    if (stat?.isSymbolicLink() === true) return
    const over = stat?.isFile() === true ? readFileSync(edit.path, 'utf8') : ''
    writeFileSync(edit.path, edit.text)
    edit.over = over
  } catch {
    // The path is a directory, or its parent does not exist.
  }
}

/** [I0] Every text that existed before is in the tree now, or in the store. */
function keptAll(on: Stage, old: readonly string[], now: Lines): void {
  const standing = new Set([...now.values()].map(textIn))
  for (const line of old) {
    if (!line.startsWith('file ')) continue
    const text = textIn(line)
    if (standing.has(text)) continue
    if (readContent(on.world.directory, gitId(text))?.toString('utf8') !== text)
      throw new BytesLost(`I0 ${JSON.stringify(text)}`, Math.max(1, text.length))
  }
}

function stale(changes: OperationPlan['changes']): OperationPlan['changes'] {
  return changes.map((change, n) =>
    n > 0 ? change : { ...change, pre: valueOf('file 644 other') },
  )
}

function valueOf(line: string | undefined): Value {
  if (line === undefined || line.startsWith('directory')) return { kind: 'absent' }
  if (line.startsWith('link ')) return { kind: 'symlink', target: line.slice(5) }
  const mode = Number.parseInt(/^file (\d+)/.exec(line)![1]!, 8)
  return { kind: 'file', content: gitId(textIn(line)) as ContentId, mode }
}

function textIn(line: string): string {
  return line.replace(/^file \d+ /, '')
}

function parentsOf(path: string): string[] {
  const parent = dirname(path)
  return parent === '.' ? [] : [parent, ...parentsOf(parent)]
}

function same(a: Lines, b: Lines): boolean {
  return a.size === b.size && [...a].every(([path, line]) => b.get(path) === line)
}
