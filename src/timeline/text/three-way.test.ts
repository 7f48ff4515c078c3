import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesOf, fileOf, latin1, memoryContents } from '../data/contents.testing.ts'
import { markText } from './merge-mark.ts'
import { findParts, restoreParts } from './restore-parts.ts'
import { numRuns } from '../data/runs.testing.ts'
import { holdsSecrets } from '../report/secret-paths.ts'
import { alignThree, type ThreeWayBlock } from './three-way.ts'
import { absent } from '../data/value.ts'

// Few different lines, so that texts often share some.
const line = fc.constantFrom('}', '', 'a', 'b', 'c', 'd', 'e', 'x\r')
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', '', 'unfinished'))
  .map(([lines, rest]) => lines.map((each) => `${each}\n`).join('') + rest)
const words = (said: string) => bytesOf(said.split(' ').join('\n') + '\n')

function shown(blocks: readonly ThreeWayBlock[]): string[] {
  return blocks.map((block) =>
    block.kind === 'skipped'
      ? `… ${block.lines}`
      : `${block.change}: ${[block.base, block.yours, block.theirs]
          .map(({ from, lines }) => `${from} ${lines.join(' ')}`.trim())
          .join(' | ')}`,
  )
}

describe('three versions', () => {
  test('[B10][sem.M7] are aligned place by place; lines far from a change are only counted', () => {
    const base = words('a b c d e f g h i j k l m')
    const ours = words('a b MINE d e f g h i j k l m n')
    const theirs = words('A b THEIRS d e f g h i j k l m')
    expect(shown(alignThree({ base, ours, theirs }, 2))).toEqual([
      'theirs: 1 a | 1 a | 1 A',
      'same: 2 b | 2 b | 2 b',
      'conflict: 3 c | 3 MINE | 3 THEIRS',
      'same: 4 d e | 4 d e | 4 d e',
      '… 6',
      'same: 12 l m | 12 l m | 12 l m',
      'yours: 14 | 14 n | 14',
    ])
    // Without a common base nothing merges, so nothing conflicts.
    expect(shown(alignThree({ base: null, ours, theirs }, 0))).toEqual([
      'theirs: 1 a | 1 a | 1 A',
      'same: 2 b | 2 b | 2 b',
      'theirs: 3 MINE | 3 MINE | 3 THEIRS',
      '… 10',
      'theirs: 14 n | 14 n | 14',
    ])
  })

  test('[three.1] every line of each version is shown or counted, and conflicts are where markers go', () => {
    fc.assert(
      fc.property(text, text, text, fc.nat(3), (a, b, c, context) => {
        const three = { base: bytesOf(a), ours: bytesOf(b), theirs: bytesOf(c) }
        const blocks = alignThree(three, context)
        for (const [side, whole] of [
          ['base', a],
          ['yours', b],
          ['theirs', c],
        ] as const) {
          const lines = whole.split('\n')
          if (lines.at(-1) === '') lines.pop()
          let at = 0
          for (const block of blocks) {
            if (block.kind === 'lines') {
              expect(block[side].from).toBe(at + 1)
              const stood = lines.slice(at, at + block[side].lines.length)
              expect(block[side].lines).toEqual(
                stood.map((each, n) =>
                  at + n < lines.length - 1 || whole.endsWith('\n')
                    ? each.replace(/\r$/, '')
                    : each,
                ),
              )
              at += stood.length
            } else at += block.lines
          }
          expect(at).toBe(lines.length)
        }
        const marked = markText(three, { ours: '', theirs: '' }).regions
        const conflicts = blocks.filter(
          (block) => block.kind === 'lines' && block.change === 'conflict',
        )
        expect(conflicts).toHaveLength(marked.length)
      }),
      { numRuns: numRuns(150) },
    )
  })
})

describe('parts of a file', () => {
  test('[parts.1] restoring all parts in any order gives the old text, restoring none the present one', () => {
    fc.assert(
      fc.property(text, text, fc.infiniteStream(fc.boolean()), (a, b, choice) => {
        const contents = memoryContents()
        const [old, now] = [fileOf(contents, a, 0o755), fileOf(contents, b)]
        const parts = findParts(contents, old, now)
        const take = (keys: readonly string[], from = now) =>
          restoreParts(contents, { old, now: from }, new Set(keys))!
        const keys = parts.map(({ key }) => key)
        expect(new Set(keys).size).toBe(keys.length)
        expect(latin1(contents.bytes(take(keys).content))).toBe(a)
        expect(take([])).toEqual(now)
        // The mode belongs to no line.
        expect(take(keys).mode).toBe(0o644)
        const some = keys.filter(() => choice.next().value)
        const half = take(some)
        const rest = findParts(contents, old, half).map(({ key }) => key)
        expect(latin1(contents.bytes(take(rest, half).content))).toBe(a)
      }),
      { numRuns: numRuns(150) },
    )
  })

  test('[parts.1][sem.O1] a part stays the same while other lines change, and is gone once its own lines change', () => {
    const contents = memoryContents()
    const file = (said: string) => fileOf(contents, latin1(words(said)))
    const old = file('a b c d e f g')
    const [first, second] = findParts(contents, old, file('a X c d e Y g'))
    const now = file('new a X c d e Y g')
    const kept = restoreParts(contents, { old, now }, new Set([second!.key]))!
    expect(latin1(contents.bytes(kept.content))).toBe(latin1(words('new a X c d e f g')))
    const edited = file('a XX c d e Y g')
    expect(restoreParts(contents, { old, now: edited }, new Set([first!.key]))).toBeNull()
    expect(restoreParts(contents, { old, now: absent }, new Set([first!.key]))).toBeNull()
    expect(findParts(contents, old, file('a \0'))).toEqual([])
  })
})

test('[S14] files that hold secrets are recognised by their names', () => {
  expect(
    [
      '.env',
      'a/.env.local',
      '.ENV',
      'tls/server.key',
      'x.pem',
      '.ssh/id_ed25519',
      '.aws/credentials',
    ].filter(holdsSecrets),
  ).toHaveLength(7)
  expect(
    ['.env.example', '.envrc', 'keys.ts', 'env', 'src/pem.ts', 'id_rsa.pub'].filter(holdsSecrets),
  ).toEqual([])
})
