import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Sighting } from '#store'
import {
  absent,
  sameValue,
  type ContentId,
  type ProjectPath,
  type TurnId,
  type Value,
} from '#timeline'
import type { RanStep, Witnesses } from './authors.ts'
import { isSavedToo, isWithJob } from './doubt-authors.ts'
import { combineLinks } from './combine-links.ts'
import type { CombinedLink } from './combined-link.ts'

const path = 'f' as ProjectPath
const [t1, t2] = ['t1', 't2'] as TurnId[]

function file(name: string): Value {
  return { kind: 'file', content: name as ContentId, mode: 0o644 }
}

function seen(before: Value, after: Value, changedAt: number | null, times = [0, 1000]): Sighting {
  const [since, at] = [times[0]!, times[1]!]
  return { path, before, after, since, began: times[2] ?? at, at, changedAt }
}

function step(turn: TurnId, began: number, ended: number): RanStep {
  return { tool: `${turn}-${began}`, turn, began, ended }
}

function ran(...steps: RanStep[]): Witnesses {
  return { steps, unseen: [] }
}

function recorded(turn: TurnId, before: Value, after: Value, at: number): CombinedLink {
  return {
    path,
    from: null,
    before,
    after,
    author: { kind: 'turn', id: turn },
    evidence: 'recorded tool path',
    gitHead: null,
    at,
    madeDirectories: [],
  }
}

/** `author: before → after`, in order. */
function combined(links: readonly CombinedLink[]): string[] {
  const name = (value: Value): string => (value.kind === 'file' ? value.content : value.kind)
  return links.map(
    ({ author, before, after }) =>
      `${author.kind}${author.id === null ? '' : ` ${author.id}`}: ${name(before)} → ${name(after)}`,
  )
}

describe('[sem.A2] the author of a change', () => {
  test('a change while a step of one turn ran is that turn’s', () => {
    const links = combineLinks([], [seen(file('a'), file('b'), 500)], ran(step(t1!, 400, 600)))
    expect(combined(links)).toEqual(['turn t1: a → b'])
  })

  test('a change while no step ran is not the turn’s, even during the turn', () => {
    const scans = [seen(file('a'), file('b'), 700, [650, 1000])]
    expect(
      combined(combineLinks([], scans, ran(step(t1!, 400, 600), step(t1!, 1100, 1200)))),
    ).toEqual(['outside: a → b'])
  })

  test('a change outside of every step gets the time of the file, not of the scan', () => {
    const scans = [seen(file('a'), file('b'), 700.4, [650, 1000])]
    expect(combineLinks([], scans, ran())[0]).toMatchObject({
      author: { kind: 'outside' },
      at: 700,
    })
    const early = [seen(file('a'), file('b'), 20, [650, 1000])]
    expect(combineLinks([], early, ran())[0]).toMatchObject({ at: 650 })
  })

  test('a change after a step and before the scan is unsure, a file created after the step is not', () => {
    const steps = ran(step(t1!, 400, 600))
    expect(combined(combineLinks([], [seen(file('a'), file('b'), 700)], steps))).toEqual([
      'unsure t1: a → b',
    ])
    const made = { ...seen(absent, file('b'), 700), bornAt: 690 }
    expect(combined(combineLinks([], [made], steps))).toEqual(['outside: absent → b'])
    // A moment after the step, a process that it left behind may have created the file.
    const late = { ...seen(absent, file('b'), 620), bornAt: 620 }
    expect(combined(combineLinks([], [late], steps))).toEqual(['unsure t1: absent → b'])
    const two = ran(step(t1!, 100, 200), step(t2!, 400, 600))
    expect(combined(combineLinks([], [seen(file('a'), file('b'), 500)], two))).toEqual([
      'shared t2: a → b',
    ])
  })

  test('a step that had ended before a scan has no part in later saves', () => {
    for (const since of [600, 603]) {
      const later = [seen(file('a'), file('b'), 5000, [since, 6000])]
      expect(combined(combineLinks([], later, ran(step(t1!, 400, 600.7))))).toEqual([
        'outside: a → b',
      ])
      const both = ran(step(t1!, 400, 600.7), step(t2!, 4900, 5100))
      expect(combined(combineLinks([], later, both))).toEqual(['turn t2: a → b'])
    }
  })

  test('[sem.A3] a step that is in the transcript but that no hook reported makes changes unsure', () => {
    const unseen = { steps: [], unseen: [{ ...step(t1!, 300, 800), why: 'it ran then' }] }
    expect(combined(combineLinks([], [seen(file('a'), file('b'), 500)], unseen))).toEqual([
      'unsure t1: a → b',
    ])
    expect(combined(combineLinks([], [seen(file('a'), file('b'), 900)], unseen))).toEqual([
      'outside: a → b',
    ])
  })

  test('an edit recorded during a scan is placed where the files show it', () => {
    const edit = recorded(t1!, file('b'), file('c'), 950)
    const early = seen(file('a'), file('b'), 500, [0, 1000, 900])
    const late = seen(file('b'), file('c'), 940, [900, 2000, 1900])
    const steps = ran(step(t1!, 400, 600))
    const chain = ['turn t1: a → b', 'turn t1: b → c']
    expect(combined(combineLinks([edit], [early, late], steps))).toEqual(chain)
    const both = seen(file('b'), file('c'), 940, [700, 1000, 900])
    expect(combined(combineLinks([edit], [both], steps))).toEqual(['turn t1: b → c'])
    const after = { ...edit, at: 1200 }
    expect(combined(combineLinks([after], [both], steps))).toEqual(['turn t1: b → c'])
  })

  test('without a scan before the command a changed file is unsure, a new directory is not', () => {
    const late = ran({ ...step(t1!, 5010, 5100), asked: 5000 })
    const change = seen(file('a'), file('b'), 5050, [0, 6000])
    const directory = { change: 'made', mode: 0o755 } as const
    const made = { ...seen(absent, absent, 5050, [0, 6000]), path: 'd' as ProjectPath, directory }
    expect(combined(combineLinks([], [change, made], late))).toEqual([
      'unsure t1: a → b',
      'turn t1: absent → absent',
    ])
  })

  test('steps of two turns at the same time share a change', () => {
    const steps = [step(t1!, 400, 600), step(t2!, 450, 650)]
    expect(combined(combineLinks([], [seen(file('a'), file('b'), 500)], ran(...steps)))).toEqual([
      'shared t2: a → b',
    ])
  })

  test('[sem.A5] a change that two turns may have made belongs to the one that names the file, and both list it', () => {
    const steps = [
      { ...step(t1!, 400, 600), command: 'echo > f' },
      { ...step(t2!, 450, 650), command: 'echo > g' },
    ]
    const [link] = combineLinks([], [seen(file('a'), file('b'), 500)], ran(...steps))
    expect(link).toMatchObject({ author: { kind: 'shared', id: t1 }, sharedWith: [t2] })
    const gone = { ...seen(file('a'), absent, 500), changedAt: null }
    expect(combineLinks([], [gone], ran(...steps))[0]).toMatchObject({
      author: { kind: 'unsure', id: t1 },
      sharedWith: [t2],
    })
  })

  test('[sem.A2] a change that only an earlier background command names is unsure', () => {
    const job = { turn: t1!, began: 0, ended: Infinity, command: '(sleep 9; echo > f) &' }
    const links = (command: string, jobs = [job]): CombinedLink[] =>
      combineLinks([], [seen(file('a'), file('b'), 500)], {
        steps: [{ ...step(t2!, 400, 600), command }],
        unseen: [],
        jobs,
      })
    expect(combined(links('make'))).toEqual(['unsure t1: a → b'])
    expect(links('make')[0]).toMatchObject({ sharedWith: [t2] })
    // Otherwise the change is the command's, and plans name it.
    const others = [{ ...job, command: 'npm run dev &' }]
    for (const found of [links('echo > f'), links('make', others)]) {
      expect(combined(found)).toEqual(['turn t2: a → b'])
      expect(found.map(isWithJob)).toEqual([true])
    }
    // A job that is known to have ended, or of the same turn, has no part in it.
    for (const jobs of [[{ ...job, ended: 300 }], [{ ...job, turn: t2! }]]) {
      expect(combined(links('make', jobs))).toEqual(['turn t2: a → b'])
      expect(links('make', jobs).map(isWithJob)).toEqual([false])
    }
    // Only the running command names the file.
    expect(links('echo > f', others).map(isWithJob)).toEqual([false])
  })

  test('[sem.M6] an edit owns the directories created with it, a command those of its own time', () => {
    const inside = 'd/f' as ProjectPath
    const edit = { ...recorded(t1!, absent, file('a'), 130), path: inside, calledAt: 100 }
    const made = (changedAt: number): Sighting => ({
      ...seen(absent, absent, changedAt, [changedAt - 90, changedAt + 90]),
      path: 'd' as ProjectPath,
      directory: { change: 'made', mode: 0o755 },
    })
    const scans = [made(120), made(500)]
    const links = combineLinks([edit], scans, ran(step(t2!, 400, 600)))
    expect(links.filter(({ directory }) => directory).map(({ author }) => author.id)).toEqual([
      't1',
      't2',
    ])
  })

  test('a deletion that the directory’s time does not explain is unsure', () => {
    const links = combineLinks([], [seen(file('a'), absent, 900)], ran(step(t1!, 400, 600)))
    expect(combined(links)).toEqual(['unsure t1: a → absent'])
    expect(
      combined(combineLinks([], [seen(file('a'), absent, 500)], ran(step(t1!, 400, 600)))),
    ).toEqual(['turn t1: a → absent'])
  })

  test('a save that looks like an editor’s, or does not fit the command’s own writes, is unsure', () => {
    const steps = ran({ ...step(t1!, 1000, 9000), command: 'make all' })
    const burst = [0, 20, 40].map((ms, i) => ({
      ...seen(absent, file(`o${i}`), 2000 + ms, [900, 9500]),
      path: `out/${i}` as ProjectPath,
    }))
    const save = seen(file('a'), file('b'), 6000, [900, 9500])
    const authors = (scans: Sighting[], more = {}) =>
      combined(combineLinks([], scans, steps, more)).filter((each) => each.includes('a → b'))
    expect(authors([save])).toEqual(['turn t1: a → b'])
    expect(authors([save], { isInEditor: () => true })).toEqual(['unsure t1: a → b'])
    expect(authors([save], { isEditorSave: () => true })).toEqual(['unsure t1: a → b'])
    expect(authors([...burst, save])).toEqual(['unsure t1: a → b'])
    expect(authors([...burst, { ...save, changedAt: 2100 }])).toEqual(['turn t1: a → b'])
    const named = ran({ ...step(t1!, 1000, 9000), command: 'make all; touch f' })
    const signs = { isEditorSave: () => true }
    expect(combined(combineLinks([], [...burst, save], named, signs)).at(-1)).toBe('turn t1: a → b')
    // The command may have written it too; the plan then says that the save goes with it.
    const said = (more = {}) => combineLinks([], [save], named, more).map(isSavedToo)
    expect([said(), said(signs)]).toEqual([[false], [true]])
  })

  test('an editor’s swap or lock file is unsure, whatever command ran', () => {
    const steps = ran(step(t1!, 1000, 9000))
    const author = (name: string): string =>
      combined(
        combineLinks(
          [],
          [{ ...seen(absent, file('a'), 2000, [900, 9500]), path: name as ProjectPath }],
          steps,
        ),
      )[0]!
    for (const own of ['d/.f.swp', '.swp', '.f.swo', '.#f', '.f.kate-swp', '.~lock.f.odt#'])
      expect([own, author(own)]).toEqual([own, 'unsure t1: absent → a'])
    for (const plain of ['f.swp', '.swift', '.f', '#f', 'd/.swatch'])
      expect([plain, author(plain)]).toEqual([plain, 'turn t1: absent → a'])
  })

  test('[sem.A12] a formatter’s change to the edited file is the turn’s, even if no call time was recorded', () => {
    const edit = recorded(t1!, file('a'), file('b'), 500)
    const scan = (changedAt: number) =>
      combined(combineLinks([edit], [seen(file('a'), file('c'), changedAt)], ran()))
    expect(scan(500)).toEqual(['turn t1: a → b', 'turn t1: b → c'])
    expect(scan(700)).toEqual(['turn t1: a → b', 'outside: b → c'])
  })

  test('[sem.A12] changes by the hooks of an edit are the turn’s, a save before it is not', () => {
    const other = (changedAt: number): Sighting => ({
      ...seen(file('a'), file('b'), changedAt, [0, 99_000]),
      path: 'other' as ProjectPath,
    })
    const links = (calledAt: number, changedAt: number, more = {}) => {
      const edit = { ...recorded(t1!, file('x'), file('y'), 9000), calledAt }
      const scans = [seen(file('x'), file('y'), 8000, [0, 99_000]), other(changedAt)]
      return combined(combineLinks([edit], scans, ran(), more)).filter((each) =>
        each.endsWith('→ b'),
      )
    }
    expect(links(7900, 7890)).toEqual(['outside: a → b'])
    expect(links(7900, 7950)).toEqual(['turn t1: a → b'])
    expect(links(7900, 8900)).toEqual(['turn t1: a → b'])
    expect(links(7900, 9100)).toEqual(['outside: a → b'])
    // The agent asked for permission, and the user saved a file meanwhile.
    expect(links(2000, 7950)).toEqual(['outside: a → b'])
    expect(links(2000, 8900)).toEqual(['turn t1: a → b'])
    expect(links(7900, 8900, { isInEditor: () => true })).toEqual(['unsure t1: a → b'])
  })

  test('recorded edits explain what scans saw', () => {
    const links = combineLinks(
      [recorded(t1!, file('a'), file('b'), 500)],
      [seen(file('a'), file('b'), 501)],
      ran(),
    )
    expect(combined(links)).toEqual(['turn t1: a → b'])
  })

  test('gaps before, between and after recorded edits are filled in order', () => {
    const links = combineLinks(
      [recorded(t1!, file('b'), file('c'), 300), recorded(t1!, file('d'), file('e'), 600)],
      [seen(file('a'), file('f'), 900)],
      ran(step(t1!, 100, 200), step(t1!, 400, 500)),
    )
    expect(combined(links)).toEqual([
      'turn t1: a → b',
      'turn t1: b → c',
      'turn t1: c → d',
      'turn t1: d → e',
      'outside: e → f',
    ])
  })

  test('changes already in the ledger are not added again', () => {
    const known = { ...recorded(t1!, file('a'), file('b'), 500), isKnown: true as const }
    expect(combineLinks([known], [seen(file('a'), file('b'), 500)], ran())).toEqual([])
    expect(combined(combineLinks([known], [seen(file('a'), file('c'), 900)], ran()))).toEqual([
      'outside: b → c',
    ])
  })

  test('[sem.A10] an edit recorded after its change was ingested stands before later changes', () => {
    const scan = { ...recorded(t1!, file('a'), file('c'), 400), evidence: 'seen', isKnown: true as const } // prettier-ignore
    const outside = { ...scan, author: { kind: 'outside' as const, id: null } }
    const edits = [
      { ...recorded(t1!, file('a'), file('b'), 700), calledAt: 200 },
      { ...recorded(t1!, file('b'), file('c'), 750), calledAt: 300 },
    ]
    // A command of the same turn runs all the time, and writes after the scan.
    const links = combineLinks(
      [outside, ...edits],
      [seen(file('c'), file('d'), 900, [500, 1000])],
      ran(step(t1!, 100, 950)),
    )
    expect(combined(links)).toEqual(['turn t1: a → b', 'turn t1: b → c', 'turn t1: c → d'])
  })

  test('an edit recorded only in pieces becomes complete when a scan saw the file', () => {
    const unknown: Value = { kind: 'unknown', why: 'pieces' }
    const links = combineLinks(
      [recorded(t1!, unknown, unknown, 500)],
      [seen(file('a'), file('b'), 500)],
      ran(),
    )
    expect(combined(links)).toEqual(['turn t1: a → b'])
  })

  test('edits outside of any scan stay as recorded', () => {
    const early = recorded(t1!, file('x'), file('a'), -5)
    const late = recorded(t2!, file('b'), file('c'), 2000)
    const links = combineLinks([early, late], [seen(file('a'), file('b'), 700)], ran())
    expect(combined(links)).toEqual(['turn t1: x → a', 'outside: a → b', 'turn t2: b → c'])
  })
})

describe('values from scans', () => {
  const edited = (before: Value, after: Value, at: number): CombinedLink => ({
    ...recorded(t1!, before, after, at),
    guess: { before: 'bytes-and-mode', after: 'bytes-and-mode' },
  })
  /** Contents named `x` and `x crlf` are one text. */
  const isSameText = (a: ContentId, b: ContentId): boolean =>
    a.replace(' crlf', '') === b.replace(' crlf', '')
  const withMode = (value: Value, mode: number): Value =>
    value.kind === 'file' ? { ...value, mode } : value
  const valuesOf = (links: readonly CombinedLink[]): [Value, Value][] =>
    links.map(({ before, after }) => [before, after])

  test('[sem.A10] bytes from a scan take precedence over recorded text', () => {
    const scan = seen(file('a crlf'), file('b crlf'), 500)
    const links = combineLinks([edited(file('a'), file('b'), 500)], [scan], ran(), { isSameText })
    expect(combined(links)).toEqual(['turn t1: a crlf → b crlf'])
    const both = [edited(file('a'), file('b'), 400), edited(file('b'), file('c'), 500)]
    const two = combineLinks(both, [seen(file('a crlf'), file('c crlf'), 500)], ran(), {
      isSameText,
    })
    expect(combined(two)).toEqual(['turn t1: a crlf → b', 'turn t1: b → c crlf'])
  })

  test('[sem.M8] an edit keeps the mode the file had then, and a chmod is a change of its own', () => {
    // The file has 0o755 by now, so that is what the recorded edit says.
    const made = edited(absent, withMode(file('a'), 0o755), 500)
    const scans = [
      seen(absent, file('a'), 500, [0, 1000]),
      seen(file('a'), withMode(file('a'), 0o755), 1500, [1000, 2000]),
    ]
    const links = combineLinks([made], scans, ran(step(t2!, 1400, 1600)))
    expect(valuesOf(links)).toEqual([
      [absent, file('a')],
      [file('a'), withMode(file('a'), 0o755)],
    ])
    expect(links.map(({ author }) => author.id)).toEqual([t1, t2])
  })

  test('[sem.A8] an edit that git discarded was discarded by the one who ran git', () => {
    const reset = { before: file('c1'), after: file('c0'), at: 0, evidence: 'git 1' }
    const scan = seen(file('c1 and mine'), file('c0'), 500)
    const gitChanges = () => [reset]
    const byTurn = combineLinks([], [scan], ran(step(t1!, 400, 600)), { gitChanges })
    expect(combined(byTurn)).toEqual(['turn t1: c1 and mine → c1', 'git: c1 → c0'])
    const byUser = combineLinks([], [scan], ran(), { gitChanges })
    expect(combined(byUser)).toEqual(['outside: c1 and mine → c1', 'git: c1 → c0'])
  })

  test('[sem.A10] [sem.M8] scans and edits in any order give one chain, with the bytes and modes seen', () => {
    const act = fc.record({
      who: fc.constantFrom('edit', 'edit', 'chmod', 'scan'),
      text: fc.constantFrom('a', 'b', 'c'),
      crlf: fc.boolean(),
      mode: fc.constantFrom(0o644, 0o755),
    })
    fc.assert(
      fc.property(fc.array(act, { minLength: 1, maxLength: 8 }), (acts) => {
        let now: Value = file('start')
        let shown = now
        let clock = 0
        let since = 0
        const edits: [CombinedLink, Value][] = []
        const scans: Sighting[] = []
        const scan = (): void => {
          clock += 10
          if (!sameValue(now, shown)) scans.push(seen(shown, now, clock - 5, [since, clock]))
          shown = now
          since = clock
          clock += 10
        }
        for (const { who, text, crlf, mode } of acts) {
          clock += 10
          if (who === 'scan') scan()
          if (who === 'chmod') now = withMode(now, mode)
          if (who !== 'edit') continue
          // Scans surround commands, and a hook reports every edit, so every edit is seen by
          // itself.
          scan()
          const next = withMode(
            file(crlf ? `${text}${clock} crlf` : `${text}${clock}`),
            modeOf(now),
          )
          edits.push([edited(bare(now), bare(next), clock), next])
          now = next
          scan()
        }
        scan()
        const links = combineLinks(
          edits.map(([link]) => link),
          scans,
          ran(),
          { isSameText },
        )
        let at: Value = file('start')
        for (const { before, after } of links) {
          expect(before).toEqual(at)
          at = after
        }
        expect(at).toEqual(now)
        expect(
          links.flatMap(({ author, after }) => (author.kind === 'turn' ? [after] : [])),
        ).toEqual(edits.map(([, after]) => after))
      }),
      { numRuns: 300 },
    )
  })
})

/** As the agent records it: without line endings, and with the mode of the present file. */
function bare(value: Value): Value {
  const name = value.kind === 'file' ? value.content.replace(' crlf', '') : ''
  return { kind: 'file', content: name as ContentId, mode: 0o600 }
}

function modeOf(value: Value): number {
  return value.kind === 'file' ? value.mode : 0
}
