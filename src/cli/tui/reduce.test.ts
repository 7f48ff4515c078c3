import { describe, expect, test } from 'vitest'
import type { LeftReport, PlanReport } from '#timeline'
import { makePaint } from '../text/paint.ts'
import { drawScreen } from './draw/draw-screen.ts'
import { logOf, planOf, sessionOf, turnId } from './made-up.ts'
import { reduce } from './reduce.ts'
import { firstState, type Effect, type TuiEvent, type State } from './state.ts'

const paint = makePaint({ colour: false, unicode: true, width: 80 })

/** Feeds keys (by name), single characters and events to the reducer. */
function typed(start: State, ...events: (string | TuiEvent)[]) {
  let state = start
  const effects: Effect[] = []
  const hear = (event: TuiEvent): void => {
    const step = reduce(state, event)
    state = step.state
    effects.push(...step.effects)
  }
  for (const each of events)
    if (typeof each !== 'string') hear(each)
    else if (NAMES.has(each)) hear({ type: 'key', key: { name: each as 'up' } })
    else for (const text of each) hear({ type: 'key', key: { name: 'char', text } })
  return { state, effects }
}
const NAMES = new Set(['up', 'down', 'left', 'right', 'enter', 'escape', 'tab', 'back-tab', 'backspace', 'ctrl-c', 'ctrl-u', 'home']) // prettier-ignore

const log = logOf(['one', 'two', 'three'], 2)
const session = log.session
const other = sessionOf('o', 'another')
const loaded = typed(firstState, { type: 'loaded', sessions: [session, other], log }).state

describe('turns', () => {
  test('it opens on "(current)", where Enter does nothing, and u undoes the last turn', () => {
    expect(loaded.turnRow).toBe('current')
    expect(typed(loaded, 'enter').effects).toEqual([])
    expect(typed(loaded, 'u').effects).toEqual([
      { do: 'plan', command: { verb: 'undo', count: 1 }, choices: new Map() },
    ])
  })

  test('[W1] u goes to before the selected turn, r to an undone one; both show a plan first', () => {
    expect(typed(loaded, 'kku').effects).toMatchObject([
      { do: 'plan', command: { verb: 'rewind', turn: 't1', before: true } },
    ])
    expect(typed(loaded, 'jr').effects).toMatchObject([
      { do: 'plan', command: { verb: 'rewind', turn: 't3' } },
    ])
    expect(typed(loaded, 'ju')).toMatchObject({
      effects: [],
      state: { message: { text: 'That turn is undone. Press r to redo it.' } },
    })
    expect(typed(loaded, 'R').effects).toMatchObject([{ command: { verb: 'redo', all: true } }])
  })

  test('search filters with every letter, keeps the result on Enter and clears it on Escape', () => {
    const found = typed(loaded, '/', 'TWO')
    expect(found.state.turnRow).toBe('t2')
    expect(typed(found.state, 'enter', 'enter').effects).toEqual([
      { do: 'show', turn: 't2', only: 'all' },
    ])
    expect(typed(found.state, 'escape').state).toMatchObject({
      filtering: false,
      filter: { text: '' },
    })
  })

  test('x marks a turn, and compares it with the next one marked', () => {
    expect(typed(loaded, 'kx', 'kx').effects).toEqual([{ do: 'compare', ends: ['t2', 't1'] }])
    expect(typed(loaded, 'kxx').state.marked).toBe(null)
  })

  test('if the selected turn is gone, "(current)" is selected', () => {
    const { state } = typed(loaded, 'j', {
      type: 'loaded',
      sessions: [session],
      log: logOf(['one'], 1),
    })
    expect(state.turnRow).toBe('current')
  })
})

describe('sessions and branches', () => {
  test('the list of turns follows the selected branch; s switches to it; Enter opens a session', () => {
    const looking = typed(loaded, 'back-tab', 'down', 'down')
    expect(looking.state).toMatchObject({ branch: 'b', turnRow: 't1' })
    expect(typed(looking.state, 's').effects).toMatchObject([
      { command: { verb: 'switch', branch: 'b' } },
    ])
    expect(typed(looking.state, 'down', 'enter').effects).toEqual([{ do: 'open', session: 'o' }])
    const folded = typed(loaded, 'back-tab', 'left', 'down')
    expect(folded.state.treeRow).toBe('o')
  })
})

describe('a plan', () => {
  const planned = (plan: PlanReport): TuiEvent => ({
    type: 'planned',
    command: { verb: 'undo', count: 1 },
    plan,
  })
  const plain = planOf({ path: 'a', verb: 'restore', choices: [] })
  const conflict = planOf(
    { path: 'a', verb: 'restore', choices: [] },
    { path: 'b', verb: 'conflict', choices: ['keep-mine', 'put-back'] },
  )

  test('only y applies it; keys that scroll keep it open; every other key cancels it', () => {
    expect(typed(loaded, planned(plain), 'y').effects).toEqual([{ do: 'apply' }])
    expect(typed(loaded, planned(plain), 'd').effects).toEqual([{ do: 'diff-file', place: 0 }])
    // Below the files are the lines about what stays, which have no diff.
    expect(typed(loaded, planned(plain), 'j', 'd')).toMatchObject({ state: { overlay: { kind: 'plan', selected: 1 } }, effects: [] }) // prettier-ignore
    for (const no of ['n', 'q', 'Y', 'escape', ' ', 'tab'])
      expect(typed(loaded, planned(plain), no)).toMatchObject({
        effects: [],
        state: { overlay: null, message: { text: 'Nothing was changed.' } },
      })
  })

  test('[sem.C8] a turn in the agent’s terminal is stopped only after y', () => {
    const command = { verb: 'back' } as const
    const asked = typed(loaded, { type: 'at-work', command, agent: 'Claude Code' })
    const shown = drawScreen(asked.state, { columns: 80, rows: 20, paint, now: 0 }).lines.join('\n')
    expect(shown).toContain('Claude Code is working in its terminal')
    expect(shown).toContain('Retake can stop the turn and undo it; files stay.')
    expect(typed(asked.state, 'y').effects).toEqual([{ do: 'stop-and-apply', command }])
    for (const no of ['n', 'enter', 'escape'])
      expect(typed(asked.state, no)).toMatchObject({ effects: [], state: { overlay: null } })
  })

  test('[sem.M7] y does nothing while a conflict is open; a choice makes a new plan', () => {
    expect(typed(loaded, planned(conflict), 'y').effects).toEqual([])
    expect(typed(loaded, planned(conflict), '2').effects).toEqual([
      { do: 'plan', command: { verb: 'undo', count: 1 }, choices: new Map([['b', 'put-back']]) },
    ])
    expect(typed(loaded, planned(conflict), '3').state.message?.text).toBe(
      'b does not have that choice.',
    )
  })

  test('[U6] after it, the undone prompt is in the input line, ready to edit', () => {
    const { state } = typed(loaded, planned(plain), 'y', {
      type: 'done',
      text: 'Undone.',
      prompt: 'two',
    })
    expect(state).toMatchObject({
      overlay: null,
      focus: 'input',
      input: { text: 'two', cursor: 3 },
    })
  })
})

describe('the input line', () => {
  const send = (text: string) => typed(loaded, 'i', text, 'enter')

  test('every command is parsed; a wrong one shows its usage and stays in the line', () => {
    const plans = (text: string) =>
      send(text).effects.map((effect) => 'command' in effect && effect.command)
    expect(plans('/undo')).toEqual([{ verb: 'undo' }])
    expect(plans('/undo 3')).toEqual([{ verb: 'undo', count: 3 }])
    expect(plans('/redo all')).toEqual([{ verb: 'redo', all: true }])
    expect(plans('/rewind 5')).toEqual([{ verb: 'rewind', turn: '5' }])
    expect(plans('/back')).toEqual([{ verb: 'back' }])
    expect(plans('/switch try JWT')).toEqual([{ verb: 'switch', branch: 'try JWT' }])
    expect(plans('/branch 2 a new way')).toEqual([
      { verb: 'branch', turn: '2', title: 'a new way' },
    ])
    expect(plans('/checkpoint it works')).toEqual([{ verb: 'checkpoint', name: 'it works' }])
    expect(plans('/checkpoint good --turn 2')).toEqual([
      { verb: 'checkpoint', name: 'good', turn: '2' },
    ])
    for (const bad of [
      '/undo x',
      '/undo 0',
      '/undo 1 2',
      '/redo some',
      '/rewind',
      '/back 2',
      '/switch',
      '/log 1',
    ]) {
      expect(send(bad)).toMatchObject({
        effects: [],
        state: { message: { tone: 'bad' }, input: { text: bad } },
      })
      expect(send(bad).state.message?.text).toMatch(/^Usage: \//)
    }
    expect(send('/undoo').state.message?.text).toMatch(
      /^Unknown command \/undoo\. Commands: \/undo /,
    )
  })

  test('Tab completes commands, branches and turns', () => {
    const complete = (text: string) => typed(loaded, 'i', text, 'tab').state
    expect(complete('/un').input.text).toBe('/undo ')
    expect(complete('/re').message?.text).toBe('/redo  /rewind  /revert')
    expect(complete('/switch o').input.text).toBe('/switch other')
  })

  test('[S5] one key answers an approval, but not while a line is being typed', () => {
    const approval = { type: 'approval', id: 'q', tool: 'Bash', canAlways: false } as never
    const asked = typed(loaded, 'i', 'go', 'enter', { type: 'asked', approval })
    expect(typed(asked.state, 'y').effects).toEqual([
      { do: 'answer', approval: 'q', answer: { allow: true } },
    ])
    expect(typed(asked.state, 'a').effects).toEqual([])
    expect(typed(asked.state, 'w', 'not now', 'enter').effects).toEqual([
      { do: 'answer', approval: 'q', answer: { allow: false, reason: 'not now' } },
    ])
    const typing = typed(loaded, 'i', 'go', 'enter', 'wh', { type: 'asked', approval }, 'y')
    expect(typing.effects).toEqual([{ do: 'converse', prompt: 'go' }])
    expect(typing.state.input.text).toBe('why')
  })

  test('Escape and the first Ctrl-C stop a turn; a second Ctrl-C leaves', () => {
    const running = typed(loaded, 'i', 'go', 'enter')
    expect(typed(running.state, 'escape').effects).toEqual([{ do: 'stop' }])
    expect(typed(running.state, 'ctrl-c').effects).toEqual([{ do: 'stop' }])
    expect(typed(running.state, { type: 'turn-ended' }, 'ctrl-c').effects).toEqual([{ do: 'quit' }])
  })

  test('pasted text with a line break is not sent', () => {
    const { state, effects } = typed(loaded, { type: 'pasted', text: 'q\nu' })
    expect({ effects, text: state.input.text }).toEqual({ effects: [], text: 'q\nu' })
  })
})

test('the screen fills its window at any size', () => {
  for (const [columns, rows] of [[80, 24], [40, 10], [61, 12], [200, 60]] as const) {
    const { lines } = drawScreen(loaded, { columns, rows, paint, now: 0 })
    expect(lines).toHaveLength(rows)
  } // prettier-ignore
  expect(drawScreen(loaded, { columns: 64, rows: 11, paint, now: 0 }).lines.join('\n'))
    .toMatchInlineSnapshot(`
      " one  turn 2 of 3 · 1 turn undone · ⑂ main
      ────────────────────────────────────────────────────────────────
       ▾ one               │   ●   1 one                             
         ◉ main       0    │   ◉   2 two                             
         ○ other      1    │ ❯ ← (current)
         another           │   ◌   3 three                     undone
                           │ 
                           │ 
      ────────────────────────────────────────────────────────────────
      > 
      Enter show · u undo · r redo · ? keys · q quit"
    `)
})

test('[sem.A5][U7] i includes unsure changes in a plan, and excludes them again', () => {
  const open = { ...firstState, log: logOf(['one', 'two'], 2) }
  const doubt: LeftReport = {
    path: 'a',
    kind: 'unsure',
    why: 'an editor has it open',
    include: 'includeUnsure',
  }
  const plan: PlanReport = { ...planOf(), left: [doubt] }
  const asked = { verb: 'undo', count: 1 } as const
  const { effects } = typed(open, { type: 'planned', command: asked, plan }, 'i')
  expect(effects.at(-1)).toMatchObject({ do: 'plan', command: { ...asked, includeUnsure: true } })
  const back = typed(
    open,
    { type: 'planned', command: { ...asked, includeUnsure: true }, plan: planOf() },
    'i',
  )
  expect(back.effects.at(-1)).toMatchObject({ command: { ...asked, includeUnsure: false } })
  expect(typed(open, { type: 'planned', command: asked, plan: planOf() }, 'i').state.overlay).toBe(
    null,
  )
})

test('[F11][B11] while a plan is applied the screen shows progress, and only Esc does something', () => {
  const open = { ...firstState, log: logOf(['one', 'two'], 2) }
  const planned = typed(open, {
    type: 'planned',
    command: { verb: 'undo', count: 1 },
    plan: planOf({ path: 'a.txt', verb: 'restore', choices: [] }),
  }).state
  const screen = (state: State): string =>
    drawScreen(state, { columns: 80, rows: 20, paint, now: 0 }).lines.join('\n')

  const begun = typed(planned, 'y')
  expect(begun.effects).toEqual([{ do: 'apply' }])
  expect(screen(begun.state)).toContain('Working … · Esc stops it')
  expect(screen(begun.state)).not.toContain('Go on?')
  expect(typed(begun.state, 'yqu', 'enter', 'down').effects).toEqual([])
  const far = (phase: 'changing' | 'finishing'): TuiEvent => ({
    type: 'progressed',
    progress: { phase, done: 3, total: 12 },
  })
  expect(screen(typed(begun.state, far('changing')).state)).toContain(
    'Changing … 3 of 12 files · Esc stops it',
  )
  expect(screen(typed(begun.state, far('finishing')).state)).not.toContain('stops it')

  const stopping = typed(begun.state, far('changing'), 'escape', 'escape')
  expect(stopping.effects).toEqual([{ do: 'stop-applying' }])
  expect(screen(stopping.state)).toContain('Rolling back …')
  expect(typed(stopping.state, 'ctrl-c').effects).toEqual([{ do: 'quit' }])
  const stopped = typed(stopping.state, { type: 'not-done' }).state
  expect(stopped).toMatchObject({ applying: null, overlay: null })
})

test('[U7] a plan fits into 80 columns: its first line wraps, a long path is shortened and shown in full when selected', () => {
  const path = 'packages/with/a/very/long/way/down/to/where/the/file/finally/stands/index.test.ts'
  const files = [
    { path, verb: 'restore', choices: [] },
    { path: `b/${path}`, verb: 'create', choices: [] },
  ] as const
  const plan: PlanReport = {
    ...planOf(...files),
    verb: 'switch',
    branches: [
      { id: 'b', label: 'a branch whose name is a whole sentence, as agents like to give' },
    ],
    to: { id: turnId(2), number: 2 },
  }
  const { state } = typed(
    { ...firstState, log: logOf(['one', 'two'], 2) },
    {
      type: 'planned',
      command: { verb: 'switch', branch: 'b' },
      plan,
    },
  )
  const { lines } = drawScreen(state, { columns: 80, rows: 20, paint, now: 0 })
  expect(lines.slice(2, 8).map((line) => line.trimEnd())).toMatchInlineSnapshot(`
    [
      "Switch to a branch whose name is a whole sentence, as agents like to give, turn",
      "2 · 2 files",
      "❯ ↺ restore  packages/with/a/very/long/way/do…ile/finally/stands/index.test.ts",
      "     packages/with/a/very/long/way/down/to/where/the/file/finally/stands/index.",
      "     test.ts",
      "  + create   b/packages/with/a/very/long/way/…ile/finally/stands/index.test.ts",
    ]
  `)
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(80)
})

test('[U2] a key reads only the turns on the screen, of 12,000', () => {
  let reads = 0
  const made = logOf(
    Array.from({ length: 12_000 }, (_, i) => `${i} 修复登录页面的问题 👨‍👩‍👧‍👦`),
    11_990,
  )
  const turns = made.turns.map((report) => {
    const { prompt, ...rest } = report.turn
    const turn = {
      ...rest,
      get prompt() {
        reads += 1
        return prompt
      },
    }
    return { ...report, turn }
  })
  const canvas = { columns: 120, rows: 40, paint, now: 0 }
  const start: State = { ...firstState, log: { ...made, turns }, turnRow: 't11990', focus: 'turns' }
  drawScreen(start, canvas)
  let state = start
  for (const name of ['up', 'up', 'down'] as const) {
    reads = 0
    state = reduce(state, { type: 'key', key: { name } }).state
    expect(drawScreen(state, canvas).lines.join('\n')).toContain('修复')
    expect(reads).toBeLessThan(5 * canvas.rows)
  }
  expect(state.turnRow).toBe('t11989')
})

test('[U2] redo removes the undone prompt from the input line, unless it was edited', () => {
  const offered = typed(firstState, { type: 'done', text: 'Undid 1 turn.', prompt: 'Do it' }).state
  const redone = { type: 'done', text: 'Redid 1 turn.', prompt: null } as const
  expect(typed(offered, redone).state.input.text).toBe('')
  expect(typed(offered, '!', redone).state.input.text).toBe('Do it!')
})
