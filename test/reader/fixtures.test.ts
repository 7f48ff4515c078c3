import { basename } from 'node:path'
import { expect, test } from 'vitest'
import {
  listSessionFiles,
  openSession,
  openSessionIndex,
  type ClaudeSession,
} from '../agent/claude-parts.ts'
import { findResume } from '../../src/agents/claude-code/chain/resume.ts'
import type { RecordedEdit } from '../../src/timeline/index.ts'
import { describeTurns } from './describe-session.ts'
import { fixtures, openFixture, sentOnResume } from './fixtures.ts'
import { linesOfChain } from './sent.ts'

/** One line per turn: number, parent, state, kind, prompt, what is special, files. */
const turns: Readonly<Record<string, readonly string[]>> = {
  'bash-changes': ['1<- active prompt "BB1 go"', '2<1 active prompt "BB2 go"'],
  compaction: [
    '1<- active prompt "T1 create the files" summarized; a.txt edited by agent, b.txt created by agent',
    '2<1 active prompt "T2 edit please" summarized; a.txt edited by agent',
    '3<2 active prompt "say three" summarized',
    '4<3 active prompt "T3 edit after compact"; a.txt edited by agent, b.txt edited by agent',
  ],
  'interactive-rewind-fork': [
    '1<- active prompt "T1 create the files" summarized; a.txt edited by agent, b.txt created by agent',
    '-<1 other prompt "T2 edit please"; a.txt edited by agent',
    '-<? other prompt "T3 edit more"; a.txt edited by agent, b.txt edited by agent',
    '2<1 active prompt "say afterboth" summarized',
    '3<2 active prompt "T1 create the files"; a.txt edited by agent, b.txt edited by agent',
  ],
  'interrupted-and-queued': [
    '1<- active prompt "Z1 run long"; before.txt created by agent',
    '2<1 active prompt "Z2 stream" interrupted',
    '3<2 active prompt "Q1 go" absorbed "say queued"',
    '4<3 active prompt "Z1 run long again" interrupted; before.txt edited by agent',
    '5<4 active shell "!echo bashmode > bm.txt; cat bm.txt"',
    '6<5 active prompt "G1 delegate"; sub.txt created by subagent, a.txt edited by subagent, main.txt created by agent',
    '7<6 active prompt "# remember"',
  ],
  'notebook-edit': [
    '1<- active prompt "N1 notebook"; nb.ipynb edited by agent, nb.ipynb edited by agent',
  ],
  'simple-headless': [
    '1<- active prompt "T1 create the files"; a.txt created by agent, b.txt created by agent',
    '2<1 active prompt "T2 edit"; a.txt edited by agent',
    '3<2 active prompt "T3 edit"; a.txt edited by agent, b.txt edited by agent',
  ],
  subagent: [
    '1<- active prompt "G1 delegate"; sub.txt created by subagent, a.txt edited by subagent, main.txt created by agent',
  ],
}

test.each(fixtures)('[CC] %s is read as it was played, turn by turn', (name) => {
  using fixture = openFixture(name)
  const session = openOnly(fixture.config)

  expect(describeTurns(session)).toEqual(turns[name])
  expect(session.transcript.damage).toEqual([])
})

test.each(fixtures)('[CC] %s resumes with the texts that the real agent sent', (name) => {
  using fixture = openFixture(name)
  const { transcript } = openOnly(fixture.config)
  const { chain } = findResume(transcript.rows, transcript.pointers)
  const session = basename(transcript.path, '.jsonl')

  const texts = linesOfChain(transcript.path, chain)
    .filter((line) => line.startsWith('user: ') && !line.startsWith('user: result '))
    .map((line) => line.slice('user: '.length))

  expect(texts.map(cut)).toEqual(sentOnResume(name, session).map(expectedText).map(cut))
})

test('[CC] notebooks and checkpoints that the agent recorded are exact', () => {
  using fixture = openFixture('notebook-edit')
  const session = openOnly(fixture.config)
  const [turn] = session.conversation.turns
  const [first, second] = session.readTurn(turn!.turn.id).edits

  expect([first!.before.kind, first!.after.kind]).toEqual(['bytes', 'text'])
  expect(second!.before).toEqual(first!.after)
  expect(JSON.parse(textOf(first!.before))).toMatchObject({ nbformat: 4 })
})

function openOnly(config: string): ClaudeSession {
  const [file, ...others] = listSessionFiles(config)
  expect(others).toEqual([])
  return openSession(config, file!, openSessionIndex(null))
}

function textOf(recorded: RecordedEdit['before']): string {
  return recorded.kind === 'bytes' ? Buffer.from(recorded.bytes).toString('utf8') : ''
}

/** A prompt that was typed while the agent worked is sent with words around it. */
function expectedText(text: string): string {
  const queued = /^The user sent a new message while you were working:\n(.*)\n\nThis is/s.exec(text)
  return queued ? `(while working) ${queued[1]}` : text
}

function cut(text: string): string {
  return text.slice(0, 120)
}
