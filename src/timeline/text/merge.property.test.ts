import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesOf, fileOf, latin1, memoryContents } from '../data/contents.testing.ts'
import { diffLines } from './lines-diff.ts'
import { makeInterner } from './lines-intern.ts'
import { joinLines, lineEnd, splitLines, type Compared } from './lines.ts'
import { markText } from './merge-mark.ts'
import { mergeText } from './merge-text.ts'
import { mergeValues } from './merge.ts'
import { numRuns } from '../data/runs.testing.ts'
import { sameValue } from '../data/value.ts'

// Few different lines and line ends, so that texts often share some.
const line = fc.constantFrom('}', '', 'return', '\u00e9\u00ff', 'a', 'b', 'c', 'd\r')
const end = fc.constantFrom('\n', '\n', '\n', '\r\n')
const text = fc
  .tuple(
    fc.constantFrom('', '', '\u00ef\u00bb\u00bf'),
    fc.array(fc.tuple(line, end), { maxLength: 9 }),
    fc.constantFrom('', '', 'unfinished'),
  )
  .map(([bom, lines, rest]) => bom + lines.flat().join('') + rest)

describe('lines', () => {
  test('[lines.1] splitting and joining gives the same bytes', () => {
    fc.assert(
      fc.property(text, (input) => {
        const lines = splitLines(bytesOf(input))
        const all = { source: lines, range: { from: 0, to: lines.starts.length } }
        const style = {
          bom: lines.bom,
          lineEnds: lines.lineEnds ?? ('lf' as const),
          finalNewline: lines.finalNewline ?? true,
        }
        expect(latin1(joinLines([all], style))).toBe(input)
        if (lines.lineEnds !== 'crlf')
          expect(latin1(joinLines([all], { ...style, lineEnds: 'mixed' }))).toBe(input)
      }),
      { numRuns: numRuns(800) },
    )
  })

  test('[lines.2] hunks turn one list into the other, and everything else is equal', () => {
    const numbers = fc.array(fc.nat(5), { maxLength: 30 })
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const built: number[] = []
        let at = 0
        for (const hunk of diffLines(a, b)) {
          built.push(...a.slice(at, hunk.a.from), ...b.slice(hunk.b.from, hunk.b.to))
          expect(hunk.a.to - hunk.a.from + hunk.b.to - hunk.b.from).toBeGreaterThan(0)
          at = hunk.a.to
        }
        expect([...built, ...a.slice(at)]).toEqual(b)
      }),
      { numRuns: numRuns(800) },
    )
  })

  test('[lines.3] lines get the same number if their compared parts are equal', () => {
    const torn = fc
      .tuple(text, fc.constantFrom('', '', '\r', 'd\r', 'a'))
      .map((all) => all.join(''))
    const compared = fc.constantFrom<Compared>('text', 'with-cr', 'whole')
    fc.assert(
      fc.property(compared, fc.array(torn, { minLength: 1, maxLength: 4 }), (how, inputs) => {
        const interner = makeInterner(how)
        const numberOf = new Map<string, number>()
        for (const input of inputs) {
          const bytes = bytesOf(input)
          const expected = splitLines(bytes)
          const { lines, numbers } = interner.read(bytes)
          expect({
            ...lines,
            starts: Array.from(lines.starts),
            ends: Array.from(lines.ends),
          }).toEqual(expected)
          for (const [index, number] of numbers.entries()) {
            const part = latin1(bytes.subarray(lines.starts[index], lineEnd(lines, index, how)))
            const known = numberOf.get(part)
            if (known === undefined) expect([...numberOf.values()]).not.toContain(number)
            else expect(number).toBe(known)
            numberOf.set(part, number)
          }
        }
        expect(interner.size()).toBe(numberOf.size)
      }),
      { numRuns: numRuns(800) },
    )
  })
})

describe('merge', () => {
  const contents = memoryContents()
  const value = fc
    .tuple(text, fc.constantFrom(0o644, 0o755))
    .map(([content, mode]) => fileOf(contents, content, mode))

  test('[sem.M1] a side without changes does not affect the merge', () => {
    fc.assert(
      fc.property(value, value, (base, side) => {
        const put = mergeValues(contents, { base, ours: base, theirs: side })
        const keep = mergeValues(contents, { base, ours: side, theirs: base })
        expect(put).toMatchObject({ kind: 'merged', value: side })
        expect(keep).toMatchObject({ kind: 'merged', value: side })
      }),
      { numRuns: numRuns(500) },
    )
  })

  test('[merge.1] a clean merge is symmetric', () => {
    fc.assert(
      fc.property(value, value, value, (base, ours, theirs) => {
        const one = mergeValues(contents, { base, ours, theirs })
        const other = mergeValues(contents, { base, ours: theirs, theirs: ours })
        expect(one.kind).toBe(other.kind)
        if (one.kind === 'merged' && other.kind === 'merged' && one.kept.length === 0)
          expect(sameValue(one.value, other.value)).toBe(true)
      }),
      { numRuns: numRuns(1200) },
    )
  })

  test('[sem.M7] marked text has a pair of markers for each place', () => {
    fc.assert(
      fc.property(text, text, text, (base, ours, theirs) => {
        const three = { base: bytesOf(base), ours: bytesOf(ours), theirs: bytesOf(theirs) }
        const marked = markText(three, { ours: 'now', theirs: 'turn 3' })
        const lines = latin1(marked.bytes).split(/\r*\n/)
        const places = marked.regions.length
        expect(places).toBeGreaterThan(0)
        expect(lines.filter((each) => each.endsWith('<<<<<<< now'))).toHaveLength(places)
        expect(lines.filter((each) => each.startsWith('>>>>>>> turn 3'))).toHaveLength(places)
      }),
      { numRuns: numRuns(500) },
    )
  })
})

describe('repeated lines', () => {
  const tokens = ['}', '', 'return', 'end', '{']
  const edit = fc.record({ kind: fc.nat(2), at: fc.nat(40), token: fc.nat(99) })
  const edits = fc.array(edit, { minLength: 1, maxLength: 2 })
  type Edit = { kind: number; at: number; token: number }
  interface Known {
    id: string
    text: string
  }

  /** Merges texts, and the same texts with unique lines, which gives the right answer. */
  function tally(share: number, runs: number) {
    const count = { clean: 0, conflict: 0, wrong: 0 }
    const starts = fc.array(fc.nat(99), { minLength: 12, maxLength: 30 })
    fc.assert(
      fc.property(starts, edits, edits, (start, agent, human) => {
        let made = 0
        const make = (who: string, token: number): Known => {
          const id = `${who}${made++}`
          return { id, text: token < share ? tokens[token % tokens.length]! : id }
        }
        const change = (lines: Known[], { kind, at, token }: Edit, who: string) => {
          const index = at % (lines.length + 1)
          const removed = kind === 0 || index === lines.length ? 0 : 1
          const added = kind === 1 ? [] : [make(who, token)]
          return lines.toSpliced(index, removed, ...added)
        }
        const before = start.map((token) => make('o', token))
        const after = agent.reduce((lines, each) => change(lines, each, 'A'), before)
        const now = human.reduce((lines, each) => change(lines, each, 'H'), after)
        const join = (lines: Known[], key: keyof Known) =>
          bytesOf(lines.map((each) => each[key]).join('\n') + '\n')
        const merge = (key: keyof Known) =>
          mergeText({ base: join(after, key), ours: join(now, key), theirs: join(before, key) })
        const result = merge('text')
        if (result.kind === 'conflict') {
          count.conflict++
          return
        }
        count.clean++
        const right = merge('id')
        if (right.kind === 'conflict') return
        const texts = new Map([...before, ...after, ...now].map((each) => [each.id, each.text]))
        const ids = latin1(right.bytes).split('\n').slice(0, -1)
        const expected = ids.map((id) => texts.get(id)).join('\n') + '\n'
        if (latin1(result.bytes) !== expected) count.wrong++
      }),
      { numRuns: runs, seed: 5 },
    )
    return count
  }

  test('[sem.M4] clean but wrong text is rarer than 1 in 1,000, however often lines repeat', () => {
    for (const share of [100, 50, 30]) {
      const runs = numRuns(4000)
      const { wrong, conflict } = tally(share, runs)
      expect(wrong / runs).toBeLessThan(0.001)
      expect(conflict / runs).toBeLessThan(share === 100 ? 0.95 : 0.5)
    }
  })
})
