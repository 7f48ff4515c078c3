import { describe, expect, test } from 'vitest'
import { findAgents, type OpenSession } from '#agents'
import type { TurnId } from '#timeline'
import { recordedFacts, recordedHome, recordedVersions } from './recorded-home.ts'

const openIn = (home: string, session: string): OpenSession => {
  const [agent] = findAgents({ codex: home })
  return agent!.sessions.openIndex(null).open(agent!.sessions.find(session)!)
}

/** The turns from the first one to the head. */
function lineOf({ conversation: { turns, head } }: OpenSession): TurnId[] {
  const parents = new Map(turns.map(({ turn }) => [turn.id, turn.parent]))
  const line: TurnId[] = []
  for (let at = head; at !== null; at = parents.get(at) ?? null) line.unshift(at)
  return line
}

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
})
