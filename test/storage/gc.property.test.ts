import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { zstdDecompressSync } from 'node:zlib'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  applyGc,
  applyOperation,
  observeProject,
  openProject,
  planGc,
  planOperation,
  readOperations,
  readSession,
  type Machine,
  type Planned,
  type Project,
} from '#engine'
import { Failure } from '#failure'
import type { Command } from '#protocol'
import { hasContent } from '#store'
import type { ContentId, TurnId } from '#timeline'
import { numRuns } from '../../src/timeline/data/runs.testing.ts'
import { bash, edit, write } from '../model/index.ts'
import { playedOnce } from '../operations/played.ts'
import { machineOf } from './in-process.ts'

const base = playedOnce({
  files: { 'a.txt': 'a\nb\nc\nd\ne\nf\n', 'b.txt': '1\n2\n3\n' },
  turns: {
    T1: [edit('a.txt', 'b', 'B'), 'done'],
    T2: [write('new.txt', 'x\ny\nz\n'), 'done'],
    T3: [edit('a.txt', 'e', 'E'), edit('b.txt', '2', 'two'), 'done'],
    T4: [write('b.txt', 'all\nnew\n'), bash('rm new.txt'), 'done'],
    T5: [edit('a.txt', 'd', 'D'), 'done'],
  },
})

type Act =
  | { kind: 'undo' | 'redo' | 'op-undo' | 'observe' | 'gc' }
  | { kind: 'rewind' | 'revert'; turn: number }
  | { kind: 'add' | 'save'; path: string; text: string }
  | { kind: 'later'; days: number }

const turn = fc.integer({ min: 0, max: 4 })
const save: fc.Arbitrary<Act> = fc.record({
  kind: fc.constantFrom('add', 'add', 'save'),
  path: fc.constantFrom('a.txt', 'a.txt', 'b.txt', 'mine.txt'),
  text: fc.stringMatching(/^[a-z]{8}$/),
})
const operation: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constantFrom('undo', 'redo', 'op-undo') }),
  fc.record({ kind: fc.constantFrom('rewind', 'revert'), turn }),
)
const pause: fc.Arbitrary<Act> = fc.oneof(
  fc.record({ kind: fc.constantFrom('observe', 'gc') }),
  fc.record({ kind: fc.constant('later' as const), days: fc.constantFrom(1, 8, 60, 100) }),
)
/** The user types, operations move files around it, time passes. */
const chapter = fc.tuple(save, operation, operation, pause)

test('[sem.K1][sem.K2] after any history gc deletes nothing that is needed, and every undo that it did not announce still works', async () => {
  let taken = 0
  await fc.assert(
    fc.asyncProperty(fc.array(chapter, { minLength: 3, maxLength: 6 }), async (chapters) => {
      const acts = chapters.flat()
      const p = await base()
      using machine = machineOf(p.s)
      using project = openProject(machine, p.s.project)
      const wanted = { session: p.id, project: null }
      const { tree } = readSession(machine, wanted)
      const turns = [...tree.line]

      const perform = async (command: Command): Promise<void> => {
        const planned = await attempt(planOperation(machine, project, wanted, command))
        if (planned.kind !== 'planned' || planned.plan.conflicts.length > 0) return
        await applyOperation(machine, project, planned)
      }
      // What every command would do since the last act; passing days alone change no plan.
      let known: Map<string, string> | null = null
      const collect = async (): Promise<void> => {
        const before = known ?? (await allPlans(machine, project, wanted, turns))
        const plan = planGc(machine, project)
        taken += plan.aside.length
        const announced = new Set(plan.operations.map(({ id }) => id))
        await applyGc(machine, project, plan)
        const after = await allPlans(machine, project, wanted, turns)
        known = after
        for (const [name, was] of before) {
          const lost = /^op-undo (\d+)$/.exec(name)
          if (lost !== null && announced.has(Number(lost[1])) && was.startsWith('{'))
            expect(after.get(name)).toBe('no-longer-undoable')
          else expect(`${name} ${after.get(name)}`).toBe(`${name} ${was}`)
        }
        for (const { id } of plan.aside) expect(hasContent(project.store, id)).toBe(false)
        expectReachable(project)
      }
      for (const each of acts) {
        if (each.kind !== 'gc' && each.kind !== 'later') known = null
        switch (each.kind) {
          case 'undo':
          case 'redo':
            await perform({ verb: each.kind, count: 1 })
            break
          case 'op-undo':
            await perform({ verb: 'op-undo' })
            break
          case 'rewind':
            await perform({ verb: 'rewind', turn: turns[each.turn]! })
            break
          case 'revert':
            await perform({ verb: 'revert', turn: turns[each.turn]!, off: false })
            break
          case 'add':
          case 'save':
            // A line at the end is merged with the turns' changes; a rewritten text is not.
            await p.s.write(
              each.path,
              `${each.kind === 'add' ? await p.s.read(each.path).catch(() => '') : ''}${each.text}\n`,
            )
            observeProject(machine, project)
            break
          case 'observe':
            observeProject(machine, project)
            break
          case 'later':
            machine.later(each.days)
            break
          case 'gc':
            await collect()
        }
      }
      machine.later(100)
      await collect()
      machine.later(8)
      await collect()
    }),
    { numRuns: numRuns(3), seed: Number(process.env['SEED'] ?? 7), endOnFailure: true },
  )
  // Proves that gc deleted something.
  expect(taken).toBeGreaterThan(0)
})

type Tried = Planned | { kind: 'failed'; code: string }

async function attempt(plan: Promise<Planned>): Promise<Tried> {
  try {
    return await plan
  } catch (error) {
    if (error instanceof Failure) return { kind: 'failed', code: error.code }
    throw error
  }
}

/** What every command would do now: the files it would write, with their bytes. */
async function allPlans(
  machine: Machine,
  project: Project,
  wanted: { session: string; project: null },
  turns: readonly TurnId[],
): Promise<Map<string, string>> {
  const paths = ['a.txt', 'b.txt', 'new.txt']
  const asked: [string, Command][] = [
    ...readOperations(project).map(({ id }): [string, Command] => [
      `op-undo ${id}`,
      { verb: 'op-undo', operation: id },
    ]),
    ...[1, 2, 5].flatMap((count): [string, Command][] => [
      [`undo ${count}`, { verb: 'undo', count }],
      [`redo ${count}`, { verb: 'redo', count }],
    ]),
    ...turns.flatMap((id, n): [string, Command][] => [
      [`rewind ${n}`, { verb: 'rewind', turn: id }],
      [`revert ${n}`, { verb: 'revert', turn: id, off: false }],
      [`off ${n}`, { verb: 'revert', turn: id, off: true }],
      [`restore ${n}`, { verb: 'restore', files: paths, at: id }],
    ]),
  ]
  const plans = new Map<string, string>()
  for (const [name, each] of asked)
    plans.set(name, wordsFor(await attempt(planOperation(machine, project, wanted, each))))
  return plans
}

function wordsFor(planned: Tried): string {
  if (planned.kind === 'failed') return planned.code
  if (planned.kind === 'nothing-to-do') return planned.why
  const files = planned.plan.files.map(({ path, verb, post }) => [
    path,
    verb,
    post.kind === 'file' ? Buffer.from(planned.contents.bytes(post.content)).toString() : post,
  ])
  return JSON.stringify({ files })
}

/** Reads without the store's code: every root has its bytes, and their hash is right. */
function expectReachable({ store }: Project): void {
  using database = new DatabaseSync(join(store.directory, 'store.db'), { readOnly: true })
  const texts = [
    `select before as t from link where author_kind = 'turn'`,
    `select after as t from link where author_kind = 'turn'`,
    'select cell as t from cell',
    'select move as t from move',
  ].flatMap((sql) => database.prepare(sql).all())
  const ids = new Set(
    texts.flatMap(({ t }) =>
      [...String(t).matchAll(/"content":"([0-9a-f]{40})"/g)].map((m) => m[1]!),
    ),
  )
  for (const id of ids) {
    const row = database.prepare('select * from content where id = ?').get(id as ContentId)
    expect(row?.['aside'], id).toBeNull()
    const packed = Buffer.from(row!['bytes'] as Uint8Array)
    const bytes = row!['encoding'] === 'zstd' ? zstdDecompressSync(packed) : packed
    const hash = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
    expect(hash).toBe(id)
  }
}
