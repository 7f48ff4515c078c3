import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyPlan } from '../../src/journal/index.ts'
import { putContent } from '../../src/store/index.ts'
import type { ContentId, Value } from '../../src/timeline/index.ts'
import { numRuns } from '../../src/timeline/data/runs.testing.ts'
import { isDone, makeModel, type Model } from '../../src/timeline/plan/plan-model.testing.ts'
import type { Outcome } from '../../src/timeline/plan/plan-result.ts'
import { volume } from '../folding/volume.ts'
import { emptyDirectory, gitId, readTree, writeTree } from '../verifier/tree.ts'
import { live, type Stage } from './stage.ts'

// Turns and people write, delete and rename a few files whose names differ in case and Unicode form.
// The planner plans the operations, and the journal applies them to a disk that folds names.

const DIRECTORIES = ['', 'src/', 'Src/', 'src/\u00e9/', 'src/e\u0301/']
const NAMES = ['foo', 'FOO', 'o\u0308.md', '\u00f6.md']
const path = fc
  .tuple(fc.constantFrom(...DIRECTORIES), fc.constantFrom(...NAMES))
  .map(([directory, name]) => directory + name)

const edit = fc.record({
  act: fc.constantFrom('write' as const, 'delete' as const, 'rename' as const),
  by: fc.constantFrom('agent' as const, 'agent' as const, 'human' as const),
  path,
  words: fc.constantFrom('a b c', 'a x c', 'y'),
})
const respell = fc.record({
  act: fc.constant('respell' as const),
  by: fc.constantFrom('agent' as const, 'human' as const),
  path: fc.constantFrom('src', 'Src', 'src/\u00e9', 'src/e\u0301'),
})
const operation = fc.record({
  act: fc.constantFrom('undo' as const, 'redo' as const, 'op-undo' as const),
  count: fc.integer({ min: 1, max: 3 }),
})
type Act =
  | (typeof edit extends fc.Arbitrary<infer T> ? T : never)
  | (typeof respell extends fc.Arbitrary<infer T> ? T : never)
  | (typeof operation extends fc.Arbitrary<infer T> ? T : never)

const names = volume()

/** The path as the present files spell its parts, which is what a lookup finds. */
function spelled(model: Model, given: string): string {
  return given.split('/').reduce((above, part) => {
    const whole = above === '' ? part : `${above}/${part}`
    const depth = whole.split('/').length
    const present = Object.keys(model.files()).map((each) => each.split('/').slice(0, depth))
    return (
      present
        .map((parts) => parts.join('/'))
        .find((each) => names.fold(each) === names.fold(whole)) ?? whole
    )
  }, '')
}

/** Whether a file is where the path needs a directory, or the other way round. */
function isBlocked(model: Model, wanted: string): boolean {
  return Object.keys(model.files()).some(
    (each) => each.startsWith(`${wanted}/`) || wanted.startsWith(`${each}/`),
  )
}

let turns = 0

/** One turn, or what a person does between turns. */
function change(model: Model, act: Exclude<Act, { count: number }>): void {
  const author =
    act.by === 'human'
      ? ({ kind: 'outside' } as const)
      : ({ kind: 'turn', turn: model.prompt(`t${(turns += 1)}`) } as const)
  const rename = (from: string, to: string): void => {
    if (from !== to)
      model.link(to, model.now.get(from as never)!, author, { renamedFrom: from as never })
  }
  const found = spelled(model, act.path)
  if (act.act === 'respell') {
    const to = found.slice(0, found.lastIndexOf('/') + 1) + act.path.split('/').at(-1)!
    for (const file of Object.keys(model.files()))
      if (file.startsWith(`${found}/`)) rename(file, to + file.slice(found.length))
  } else if (act.act === 'delete') model.link(found, { kind: 'absent' }, author)
  else if (act.act === 'write') {
    if (!isBlocked(model, found)) model.link(found, model.value(act.words), author)
  } else if (model.words(found) !== null) {
    const to = found.slice(0, found.lastIndexOf('/') + 1) + act.path.split('/').at(-1)!
    rename(found, to)
  }
}

function textOf(model: Model, content: ContentId): string {
  return Buffer.from(model.contents.bytes(content)).toString('utf8')
}

/** The model makes up ids of contents; the store has those of git. */
function stored(model: Model, value: Value): Value {
  if (value.kind !== 'file') return value
  return { ...value, content: gitId(textOf(model, value.content)) as ContentId }
}

async function apply(on: Stage, model: Model, plan: Outcome & { kind: 'plan' }): Promise<void> {
  const changes = plan.files.map(({ path: at, pre, post }) => ({
    path: at,
    pre: stored(model, pre),
    post: stored(model, post),
  }))
  const { result, error } = await live(on, [], (journal) => {
    for (const { post } of plan.files)
      if (post.kind === 'file') putContent(journal.store, Buffer.from(textOf(model, post.content)))
    const directories = { remove: plan.emptied, make: plan.made }
    return applyPlan(journal, { verb: 'undo', session: 's', details: {}, changes, directories })
  })
  expect(error).toBeUndefined()
  expect(result).toMatchObject({ kind: 'done', kept: [] })
}

function filesOn(on: Stage): Record<string, string> {
  return Object.fromEntries(
    [...readTree(on.world.project)]
      .filter(([, line]) => line.startsWith('file '))
      .map(([at, line]) => [
        at,
        line
          .replace(/^file \d+ /u, '')
          .trimEnd()
          .split('\n')
          .join(' '),
      ]),
  )
}

/**
 * Other files come along when their directory is renamed. The next scan records that, as it does for
 * a user's rename.
 */
function followRenamed(model: Model, there: readonly string[]): void {
  for (const at of Object.keys(model.files())) {
    const name = at.slice(at.lastIndexOf('/'))
    const now = there.find((each) => names.fold(each) === names.fold(at) && each.endsWith(name))
    if (now === undefined || now === at) continue
    const value = model.now.get(at as never)!
    model.link(now, value, { kind: 'outside' }, { renamedFrom: at as never })
  }
}

test('[FT18] [sem.M6] [sem.O4] on a volume that folds names, files are where plans say, as they spell them', async () => {
  let applied = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(edit, edit, respell, operation, operation), {
        minLength: 3,
        maxLength: 12,
      }),
      fc.boolean(),
      async (acts, hasProc) => {
        using on = names.stage({ hasProc })
        const model = makeModel({ 'src/foo': 'a b c', '\u00f6.md': 'y' })
        model.prompt('hello')
        for (const act of acts) {
          if (!('count' in act)) {
            change(model, act)
            continue
          }
          emptyDirectory(on.world.project)
          const files = Object.entries(model.files())
          writeTree(
            on.world.project,
            Object.fromEntries(
              files.map(([at, words]) => [at, { file: `${words!.split(' ').join('\n')}\n` }]),
            ),
          )
          const outcome =
            act.act === 'undo'
              ? model.undo(act.count)
              : act.act === 'redo'
                ? model.redo(act.count)
                : model.opUndo()
          if (!isDone(outcome) || outcome.kind !== 'plan') continue
          await apply(on, model, outcome)
          followRenamed(model, Object.keys(filesOn(on)))
          expect(filesOn(on)).toEqual(model.files())
          applied += outcome.files.length > 0 ? 1 : 0
        }
      },
    ),
    { numRuns: numRuns(120) },
  )
  expect(applied).toBeGreaterThan(numRuns(120) / 4)
})
