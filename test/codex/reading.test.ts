import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { OpenSession } from '#agents'
import { durableDisk } from '#disk'
import { stepsOf } from '#timeline'
import { agentIn, lineOf, openIn, promptsOf } from './open-recorded.ts'
import { recordedFacts, recordedHome, recordedVersions } from './recorded-home.ts'

/** What the model would get, as `conversation()` of the scripted model shows it. */
function conversationOf(open: OpenSession): string[] {
  const byId = new Map(open.conversation.turns.map(({ turn }) => [turn.id, turn]))
  return lineOf(open).flatMap((id) => {
    const { prompt, summarized } = byId.get(id)!
    if (summarized) return [`user: ${prompt}`]
    const said = open.readTurn(id).moments.flatMap((moment) => {
      if (moment.kind === 'said') return [`assistant: ${moment.text}`]
      return moment.kind === 'step' ? [`call: ${moment.step.tool}`] : []
    })
    return [`user: ${prompt}`, ...said]
  })
}

const isOutput = (line: string): boolean => line.startsWith('output: ')
const isSummary = (line: string): boolean => line.startsWith('user: Another language model started')

describe.for(recordedVersions)('Codex %s', (version) => {
  const { scenarios, sent } = recordedFacts(version)

  test.for(Object.keys(sent))('[port] reads of "%s" what the model gets on resume', (name) => {
    using recorded = recordedHome(version)
    const open = openIn(recorded.home, scenarios[name]!)
    expect(open.damage).toEqual([])
    const wanted = sent[name]!.filter((line) => !isOutput(line) && !isSummary(line)).map((line) =>
      line.replace(/^(call: \S+) [^]*/, '$1'),
    )
    expect(conversationOf(open)).toEqual(wanted)
  })

  test('[port] reads which files turns changed, and how the steps ended', () => {
    using recorded = recordedHome(version)
    const open = openIn(recorded.home, scenarios['plain']!)
    const edits = lineOf(open).map((id) =>
      open
        .readTurn(id)
        .edits.map(({ path, before, after }) => [
          basename(path),
          before.kind === 'absent' ? 'added' : after.kind === 'absent' ? 'gone' : 'changed',
        ]),
    )
    expect(edits).toEqual([
      [
        ['a.txt', 'changed'],
        ['b.txt', 'added'],
      ],
      [
        ['gone.txt', 'gone'],
        ['mv.txt', 'gone'],
        ['moved.txt', 'changed'],
      ],
      [['crlf.txt', 'changed']],
    ])
    const steps = stepsOf(open.readTurn(lineOf(open)[2]!).moments)
    expect(steps.map(({ outcome, unknownEffect }) => [outcome, unknownEffect])).toEqual([
      ['ok', null],
      ['error', null],
      ['error', 'false'],
    ])
  })

  test('[port] a branch of a session begins with the kept turns and has its title', () => {
    using recorded = recordedHome(version)
    const agent = agentIn(recorded.home)
    const open = openIn(recorded.home, scenarios['plain']!)
    const [first, second] = lineOf(open)
    const session = agent.sessions.idFrom(crypto.randomUUID())
    const wish = { session, turn: first!, next: second!, number: 1, title: 'aside' }
    const plan = open.moves.planBranch({ ...wish, at: new Date() })
    if (plan.kind !== 'step') throw new Error(plan.why)
    const step = plan.step.prepare(durableDisk)!
    plan.step.stage?.(durableDisk)
    agent.steps.perform(durableDisk, step)
    const made = openIn(recorded.home, session)
    expect(promptsOf(made)).toEqual(['one'])
    expect(made.conversation.head).toBe(first)
    expect(made.summary).toMatchObject({
      title: 'aside',
      branch: { parentSessionId: scenarios['plain'], turn: first },
    })
    expect(made.moves.wasContinued(open)).toBe(false)
  })
})

test('[port] a subagent is a step of its session, with its edits, and no session of its own', () => {
  using recorded = recordedHome('0.166.0')
  const { scenarios } = recordedFacts('0.166.0')
  const agent = agentIn(recorded.home)
  const open = openIn(recorded.home, scenarios['subagent']!)
  const reading = open.readTurn(open.conversation.head!)
  expect(reading.edits).toMatchObject([{ by: 'subagent', after: { kind: 'bytes' } }])
  const [step] = stepsOf(reading.moments)
  expect(step).toMatchObject({ kind: 'agent', unknownEffect: null })
  const listed = agent.sessions.list().map(({ id }) => id)
  expect(listed).toEqual(expect.arrayContaining(Object.values(scenarios)))
  expect(listed).not.toContain(step!.agent!.id)
  expect(agent.sessions.find(step!.agent!.id)).toBeNull()
})

test('[port] turns that a revert left behind stay as a branch, and names come from the agent', () => {
  using recorded = recordedHome('0.166.0')
  const { scenarios } = recordedFacts('0.166.0')
  const reverted = openIn(recorded.home, scenarios['reverted']!)
  expect(reverted.conversation.turns.map(({ turn }) => turn.prompt)).toEqual(['one', 'two', 'three', 'again']) // prettier-ignore
  expect(promptsOf(reverted)).toEqual(['one', 'again'])
  expect(openIn(recorded.home, scenarios['compacted']!).title).toBe('a given name')
})
