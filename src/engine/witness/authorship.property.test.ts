import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sameValue } from '#timeline'
import { playAuthorship, type Act, type Truth } from './authorship.testing.ts'
import type { CombinedLink } from './combined-link.ts'

const touch = fc.record({
  path: fc.constantFrom('d/f', 'd/g', 'd/new', 'e/h'),
  does: fc.constantFrom('write', 'write', 'delete'),
})
const act: fc.Arbitrary<Act> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('prompt' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('scan', 'read') }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('user' as const), touch }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('bash' as const),
      end: fc.constantFrom('ok', 'ok', 'ok', 'denied', 'interrupted', 'rejected', 'killed'),
      touches: fc.array(touch, { minLength: 1, maxLength: 3 }),
      permission: fc.boolean(),
      isSeen: fc.constantFrom(true, true, true, false),
      beside: fc.constantFrom(null, null, 'd/beside', 'd/f'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      path: fc.constantFrom('d/f', 'd/g', 'd/new', 'e/h'),
      isFormatted: fc.boolean(),
      read: fc.constantFrom('no', 'no', 'after-call', 'before-call'),
    }),
  },
)

/** The writes that a link covers: those after its `before`, up to its `after`. */
function writesIn(truth: readonly Truth[], link: CombinedLink, from: number): [Truth[], number] {
  const own = truth.filter(({ path }) => path === link.path)
  const end = own.findIndex(({ after }, i) => i >= from && sameValue(after, link.after))
  if (end < 0) return [[], from]
  // Skip values that came and went unseen before the content was `before` again.
  const start = own.findLastIndex(({ after }, i) => i < end && sameValue(after, link.before)) + 1
  return [own.slice(Math.max(start, from), end + 1), end + 1]
}

function claims(acts: readonly Act[]) {
  const { truth, links } = playAuthorship(acts)
  return [...Map.groupBy(links, ({ path }) => path)].flatMap(([, chain]) => {
    let from = 0
    return chain.flatMap((link) => {
      const [writes, next] = writesIn(truth, link, from)
      from = next
      // A hook's write cannot be told from a user's write in the same link.
      const isHidden = writes.some(({ by }) => by === 'user')
      return writes.filter(({ isHooks }) => !isHooks || !isHidden).map((write) => ({ write, link }))
    })
  })
}

test('[sem.A2][sem.A3][sem.A12][sem.A13] no user’s write belongs to a turn, and no turn’s write is dropped silently', () => {
  fc.assert(
    fc.property(fc.array(act, { maxLength: 8 }), (acts) => {
      for (const { write, link } of claims(acts)) {
        const { kind, id } = link.author
        const said = `${write.path} by ${write.by}: ${kind} ${id} (${link.evidence})`
        if (write.by === 'user') expect(kind, said).not.toBe('turn')
        else if (kind === 'turn') expect(id, said).toBe(write.by)
        else expect(['unsure', 'shared'], said).toContain(kind)
      }
    }),
    { numRuns: 300 * Number(process.env['RUNS'] ?? 1) },
  )
})

test('[sem.A2][sem.A3][sem.A12][sem.A13] if no user writes and no process dies, each write belongs to its turn', () => {
  const alone = act.filter(
    (each) =>
      each.kind !== 'user' && !(each.kind === 'bash' && (each.end === 'killed' || !each.isSeen)),
  )
  fc.assert(
    fc.property(fc.array(alone, { maxLength: 8 }), (acts) => {
      for (const { write, link } of claims(acts))
        expect(link.author, `${write.path}: ${link.evidence}`).toEqual({
          kind: 'turn',
          id: write.by,
        })
    }),
    { numRuns: 300 * Number(process.env['RUNS'] ?? 1) },
  )
})
