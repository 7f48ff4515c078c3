import { expect, test } from 'vitest'
import type { ReceiptView } from '#protocol'
import type { Terminal } from '../agent/terminal.ts'
import { claudeCode } from '../agent/index.ts'
import { scriptedModel, write } from '../model/index.ts'
import { scene } from '../scene.ts'
import { serving } from '../server/serving.ts'
import { boxOf, supervised } from './supervised.ts'

/** `npm run test:inplace` plays 200; `SEED=7 RUNS=1` plays one of them again. */
const RUNS = Number(process.env['RUNS'] ?? 1)
const SEED = Number(process.env['SEED'] ?? 1)
const ACTS = 8

/** A small generator that is the same everywhere (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

for (let seed = SEED; seed < SEED + RUNS; seed++)
  test(`[sem.C2][sem.C6] random prompts, undos and redos from four surfaces keep conversation, terminal and prompts (seed ${seed})`, () =>
    play(seed))

async function play(seed: number): Promise<void> {
  const random = randomOf(seed)
  await using s = await scene({ files: { a: '1\n' }, git: true })
  await using model = await scriptedModel()
  const agent = claudeCode(s, model)
  await s.retake('settings', 'set', 'plainUndo', 'on')
  await using server = await serving(s)
  const tui = await supervised(s, agent)
  let line: string[] = []
  let ahead: string[] = []
  /** What the input box holds. Right after a resize the screen does not show it. */
  let box = ''
  let session = ''
  let next = 0
  const story: string[] = []

  /** The agent also tells the model about a `/clear`, in rows of its own. */
  const said = (): string[] =>
    model.userTexts().filter((text) => !/^<(?:local-command|command-name)/.test(text))

  const emptyBox = async (): Promise<void> => {
    if (box !== '') await tui.clear(box)
    box = ''
  }

  const say = async (): Promise<void> => {
    // Edit or clear the undone prompt.
    const isEdited = box !== '' && random(2) === 0
    const name = isEdited ? `${box}x` : `P${++next}`
    story.push(`say ${name}`)
    model.on(name, [write(`of-${name}`, 'x\n'), `did ${name}.`])
    if (!isEdited) await emptyBox()
    await tui.type(isEdited ? 'x' : name)
    await tui.key('enter')
    box = ''
    await tui.waitFor((screen) => screen.includes(`did ${name}.`) && boxOf(screen) === '')
    line.push(name)
    ahead = []
    expect(said(), story.join(', ')).toEqual(line)
    session = model.requests.at(-1)!.sessionId ?? session
    await isIdle(session)
  }

  const isIdle = async (id: string): Promise<void> => {
    const live = async () =>
      (JSON.parse((await s.retake('status', '--json', '--session', id)).stdout) as { live: string })
        .live
    await expect.poll(live, { timeout: 60_000, interval: 200 }).toBe('idle')
  }

  const move = async (verb: 'undo' | 'redo'): Promise<void> => {
    const surface = (['slash', 'word', 'terminal', 'server'] as const)[random(4)]!
    story.push(`${verb} by ${surface}`)
    if (surface === 'slash' || surface === 'word') {
      await emptyBox()
      await tui.type(surface === 'slash' ? `/retake:${verb}` : verb)
      await tui.key('enter')
    } else {
      const receipt =
        surface === 'terminal'
          ? (JSON.parse(
              (await s.retake(verb, '--json', '--session', session)).stdout,
            ) as ReceiptView)
          : ((await server.post(`/api/sessions/${session}/${verb}`, {}))
              .body as unknown as ReceiptView)
      story.push(receipt.reopen?.state ?? JSON.stringify(receipt))
      if (receipt.reopen?.state === 'asks') await agree(tui)
      else expect(receipt.reopen, story.join(', ')).toEqual({ state: 'reopened' })
    }
    const [from, to] = verb === 'undo' ? [line, ahead] : [ahead, line]
    const moved = from.pop()!
    to.push(moved)
    box = verb === 'undo' ? moved : ''
    await tui.waitFor(
      (screen) =>
        boxOf(screen) === box &&
        screen.includes(`did ${line.at(-1)}.`) &&
        !screen.includes(`did ${ahead.at(-1)}.`) &&
        !screen.includes('Ctrl-R'),
    )
    await isIdle(session)
    const files = Object.keys(await s.files())
    const { stdout: log } = await s.retake('op', 'log', '--session', session)
    const context = [story.join(', '), log, tui.screen()].join('\n')
    for (const name of line) expect(files, context).toContain(`of-${name}`)
    for (const name of ahead) expect(files, context).not.toContain(`of-${name}`)
  }

  await say()
  await say()
  for (let act = 0; act < ACTS; act++) {
    const kind = random(10)
    if (kind < 4 && line.length > 1) await move('undo')
    else if (kind < 6 && ahead.length > 0) await move('redo')
    else if (kind === 6) {
      story.push('resize')
      const size = { rows: 40 + random(15), columns: 90 + random(40) }
      await tui.resize(size)
      const rule = new RegExp(`^─{${size.columns}}$`, 'm')
      await tui.waitFor((screen) => rule.test(screen) && boxOf(screen) === box)
    } else if (kind === 7) {
      story.push('ctrl-c')
      await emptyBox()
      await tui.key('ctrl-c')
      await tui.waitFor(/again to exit/)
      await tui.waitFor((screen) => !screen.includes('again to exit') && boxOf(screen) === '')
    } else if (kind === 8 && random(3) === 0) {
      story.push('/clear')
      await emptyBox()
      await tui.submit('/clear')
      await tui.waitFor((screen) => !screen.includes('did '))
      line = []
      ahead = []
      await say()
    } else await say()
  }
  await tui.exit()
  expect(tui.isAlternate, story.join(', ')).toBe(false)
  await agent.probe(session)
  expect(said(), story.join(', ')).toEqual([...line, 'probe'])
}

/** Agrees to lose the text in the box, in the terminal that asks. */
async function agree(tui: Terminal): Promise<void> {
  await tui.waitFor(/Ctrl-R reopens/)
  tui.press('\u0012')
}
