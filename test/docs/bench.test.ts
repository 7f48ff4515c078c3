import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { benchNames } from '../../bench/benches.ts'
import { drawGrowth, spreadOut } from '../../bench/draw-growth.ts'
import { figuresOf, goals } from '../../bench/goals.ts'
import { drawLines, interleave, limit, median, ratio } from '../../bench/measure.ts'
import { isReached, type BenchReport } from '../../bench/measured.ts'
import { peersAbout } from '../../bench/peers-about.ts'
import { quoteFigures } from '../../bench/quotes.ts'
import { renderReport } from '../../bench/render-report.ts'
import { quoting, readReport } from '../../bench/report-files.ts'
import { readDocument, root } from './document.ts'
import { madeUpReport } from './made-up-report.ts'

describe('the bench report', () => {
  const text = renderReport(madeUpReport())

  test('says when, on what machine and with which versions, also for parts that ran separately', () => {
    expect(text).toContain(
      'on 2026-11-14, transcripts: 3 minutes: Retake 0.1.0, Node 24.21.0, git 2.39.5; 2 cores (Made up), 24 GB, Linux 6.18.44, ext4, load before each 0.2 to 0.2.',
    )
    expect(text).toContain('on 2026-11-15, snapshots, restore, web: 7 minutes')
  })

  test('lists every goal with its measurement, or that it was not measured', () => {
    for (const { what, goal } of goals) expect(text).toContain(`| ${what} | ${goal} | `)
    expect(text).toContain(
      '| 1,000 files: 15.9× as quick<br>100,000 files: 64× as quick | **1 of 2 reached** |',
    )
    expect(text).toContain('| ≤ 2× | not measured | not measured |')
    expect(text).toContain('| < 120 MB | 103 MB (at its most) | reached |')
    expect(text).toContain('| ≤ 200 ms, then it counts as changed whole | – | not measured |')
  })

  test('has medians, spread and rounds of every figure, and of every point of a curve', () => {
    expect(text).toContain(
      '| 1,000 files: watch, 1 change, against opencode | 15.9× as quick | 2 (1.8–2.4) | 31.8 (28.6–38.2) | 9 | ≥ 10× | reached |',
    )
    expect(text).toContain('| **Retake, watching** | 2 (1.8–2.4) | ')
    expect(text).toContain('| git, given the paths | – | – | – | – | – |')
  })

  test('says why a goal is missed, or that the reason is not known, and what could not be measured', () => {
    expect(text).toContain('the goal is ≥ 80×. The disk of this machine syncs late.')
    expect(text).toContain('64× as quick, the goal')
    expect(text).toContain('1.5× as quick, the goal is ≥ 2×. The reason is not known yet.')
    expect(text).toContain('- web could not be measured: there is no browser')
    expect(text).toContain('lstat in C: not measured, there is no compiler')
  })
})

describe('the picture of growth', () => {
  test.for(['light', 'dark'] as const)('%s: two panels, every line named with its end', (theme) => {
    const picture = drawGrowth(madeUpReport(), theme)!
    expect(picture.match(/<g>/g)).toHaveLength(2)
    for (const label of [
      'Retake, watching: 2.9',
      'Retake, just started: 240',
      'opencode 1.18: 6,665',
      'git read-tree: 361',
    ])
      expect(picture).toContain(`>${label}</text>`)
    expect(picture).not.toContain('given the paths')
    expect(picture).not.toMatch(/NaN|undefined|Infinity/)
    expect(picture).toContain('role="img" aria-labelledby="title desc"')
    expect(picture).toMatch(
      /<desc id="desc">Snapshot after one changed file\. Retake, watching: 2\.0 ms at 1,000 files/,
    )
    // Browsers show nothing if a tag is not closed or a character not escaped.
    expect(picture.match(/<\w+(>|[^>]*[^/]>)/g)).toHaveLength(picture.match(/<\/\w+>/g)!.length)
    expect(picture).not.toMatch(/&(?!amp;|lt;|gt;)/)
  })

  test('no picture without measurements', () => {
    expect(drawGrowth({ schema: 'retake.bench/1', benches: {} }, 'light')).toBeNull()
  })

  test('names keep their order, stay in the panel and do not cover each other', () => {
    const placed = spreadOut([100, 101, 90, 300, 299, 298], 70, 300)
    const sorted = placed.toSorted((a, b) => a - b)
    expect(sorted).toEqual([placed[2], placed[0], placed[1], placed[5], placed[4], placed[3]])
    expect(sorted[0]).toBeGreaterThanOrEqual(70)
    expect(sorted.at(-1)).toBeLessThanOrEqual(300)
    for (let n = 1; n < sorted.length; n += 1)
      expect(sorted[n]! - sorted[n - 1]!).toBeGreaterThanOrEqual(15)
  })
})

describe('measuring', () => {
  test('every program has its rounds and its median; the first round only warms up', async () => {
    const ran: string[] = []
    let took = 0
    const { own, few } = await interleave(3, {
      own: { act: () => ran.push('own'), took: () => (took += 1) },
      few: { act: () => ran.push('few'), took: () => 5, atMost: 2 },
    })
    expect(ran).toEqual(['own', 'own', 'few', 'own', 'few', 'own'])
    expect(own).toEqual({ median: 3, low: 2, high: 4, rounds: 3 })
    expect(few).toMatchObject({ median: 5, rounds: 2 })
    expect(median([4, 1, 2])).toBe(2)
  })

  test('another program’s command that fails is reported and left out; ours ends the bench', async () => {
    const fail = (): never => {
      throw new Error('git is not there\nat all')
    }
    const { good, bad } = await interleave(2, {
      bad: { act: fail, isPeer: true },
      good: { act: () => {}, took: () => 4 },
    })
    expect(good).toMatchObject({ median: 4, rounds: 2 })
    expect(bad).toEqual({ failed: 'git is not there' })
    expect(ratio('a', good, bad, { least: 2 }).value).toBeNull()
    expect(drawLines({ bad: 'they' }, [], [[1, { bad }]])[0]!.points).toEqual([])
    await expect(interleave(1, { ours: fail })).rejects.toThrow('git is not there')
  })

  test('a goal can be an upper or a lower bound; without a goal there is no verdict', () => {
    const [one, ten] = [limitOf(1), limitOf(10)]
    expect(isReached(ratio('quick', one, ten, { least: 10 }))).toBe(true)
    expect(isReached(ratio('quick', one, ten, { least: 11 }))).toBe(false)
    expect(isReached(ratio('long', ten, one, { most: 9 }))).toBe(false)
    expect(isReached(limit('memory', 80, 'MB', 120))).toBe(true)
    expect(isReached(limit('memory', 80, 'MB', null))).toBeNull()
  })
})

describe('the last measurement', () => {
  const report = readReport()

  test('every goal and every peer has a bench that measures it', () => {
    for (const { bench } of goals) expect(benchNames).toContain(bench)
    // A report of some parts covers those parts; a full one omits no goal.
    if (benchNames.some((name) => report.benches[name]?.failed !== undefined)) return
    if (benchNames.every((name) => name in report.benches))
      for (const goal of goals) expect(figuresOf(goal, report).length, goal.what).toBeGreaterThan(0)
  })

  test('the report and the pictures match it', () => {
    expect(settle(readDocument('docs/reports/bench.md'))).toBe(settle(renderReport(report)))
    for (const theme of ['light', 'dark'] as const) {
      const path = `docs/pictures/growth-${theme}.svg`
      expect(readFileSync(join(root, path), 'utf8')).toBe(drawGrowth(report, theme))
      expect(readDocument('README.md')).toContain(`"${path}"`)
    }
  })

  test('documents quote its figures', () => {
    for (const file of quoting) {
      const text = readDocument(file)
      expect(text).toContain('<!-- bench: ')
      expect(settle(quoteFigures(text, report))).toBe(settle(text))
    }
  })

  test('it contains no path of the machine', () => {
    const text = readFileSync(join(root, 'docs/reports/bench.json'), 'utf8')
    expect(text).not.toMatch(/\/(tmp|home|root|work|Users)\b/)
  })
})

test('peers of the curves are explained', () => {
  const named = new Set(peersAbout.map(({ who }) => who))
  for (const who of ['opencode 1.18', 'Gemini CLI', 'Cline', 'Roo Code'])
    expect([...named].some((name) => name.startsWith(who))).toBe(true)
  expect(existsSync(join(root, 'bench/peers'))).toBe(true)
})

function limitOf(
  value: number,
): BenchReport['benches'][string]['figures'][number]['ours'] & object {
  return { median: value, low: value, high: value, rounds: 1 }
}

/** The formatter pads tables, so spaces do not count. */
function settle(text: string): string {
  return text
    .replaceAll(/-{3,}/g, '---')
    .replaceAll(/[ \n]+/g, ' ')
    .trim()
}
