import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import {
  findSessionFile,
  openSession,
  openSessionIndex,
  linesAfter,
  type ClaudeSession,
} from '../agent/claude-parts.ts'
import { findResume } from '../../src/agents/claude-code/chain/resume.ts'
import type { TurnId } from '../../src/timeline/index.ts'
import { linesOf, namesOf, uuidOf } from './notation.ts'
import { linesOfChain } from './sent.ts'
import { bytesOf } from './variants.ts'

/**
 * How the conversation moves from the end of a file to a turn: by a pointer (two lines), by a
 * boundary (one), or not at all; and what the agent would send then. After `and`: the same again
 * from there. The notation is that of resume-cases.txt, where the results were measured.
 */
const MOVES = `
u1@0 a1@1 u2@10 a2@11                                            to u1 by pointer: u1 a1            and to u2 by pointer: u1 a1 u2 a2
u1@0 a1@1 a9<u1@2 u2<a1@10 a2@11                                 to u1 by pointer: u1 a1            and to u2 by pointer: u1 a1 u2 a2
u1@0 a1@1 u2@10 a2@11 b1@12 s1@12 u3@13 a3@14                    to u1 by pointer: u1 a1            and to u3 by pointer: s1 u3 a3
u1@0 a1@1 u2@10 a2@11 b1[s1:a2]@12 s1@12 u3@13 a3@14             to u1 by boundary: u1 a1           and to u3 by boundary: s1 a2 u3 a3
u1@0 a1@1 u2@10 a2@11 b1[s1:a2]@12 s1@12 u3@13 a3@14             to u2 by pointer: s1 a2            and to u1 by boundary: u1 a1
u1@0 a1@1 u2@10 a2@11 b1[s1:a2]@12 s1@12 u3@13 a3@14             to u1 by boundary: u1 a1           and to u2 by boundary: s1 a2
u1@0 a1@1 u2@10 a2@11 u3@12 b1[s1:a2,u3]@13 s1@13 a3@14          to u3 by pointer: s1 a2 u3 a3      and to u2 by boundary: u1 a1 u2 a2
u1@0 a1@1 u2@10 a2@11 u3@12 b1[s1:a2,u3]@13 s1@13 a3@14          to u2 by boundary: u1 a1 u2 a2     and to u1 by pointer: u1 a1
u1@0 a1@1 u2@10 a2@11 u3@12 b1[s1:a2,u3]@13 s1@13 a3@14          to u1 by boundary: u1 a1           and to u3 by boundary: s1 a2 u3 a3
u1@0 a1@1 u2@10 a2@11 b1[b1:u1,a1]@12 s1@12 u3@13 a3@14          to u1 by pointer: u1 a1            and to u3 by pointer: u1 a1 s1 u3 a3
u1@0 a1@1 u2@10 a2@11 b1{s1:a2,a2}@12 s1@12 u3@13 a3@14          to u1 by boundary: u1 a1           and to u3 by boundary: s1 a2 u3 a3
u1@0 a1@1 u2@10 a2@11 b1[s1:a2]@12 s1@12 u3@13 a3@14 b2[s2:a3]@15 s2@15 u4@16 a4@17 to u1 by boundary: u1 a1 and to u4 by boundary: s2 a3 u4 a4
u1<?@0 a1@1 u2@10 a2@11 b1[s1:a2]@12 s1@12 u3@13 a3@14           to u1 refused
u1@0 a1@1 u2<?@30 a2@31 b1[s1:a2]@42 s1@42 u3@43 a3@44           to u2 by pointer: s1 a2            and to u1 by boundary: u1 a1
`

const config = mkdtempSync(join(tmpdir(), 'retake-moves-'))
afterAll(() => rmSync(config, { recursive: true }))
const directory = join(config, 'projects', '-project')
const id = uuidOf('session')
const path = join(directory, `${id}.jsonl`)

for (const line of MOVES.trim().split('\n')) {
  const [, notation, rest] = /^(.*?) +to (.*)$/.exec(line)!
  test(`[W15][sem.C2] ${notation} to ${rest!.replaceAll(/ +/g, ' ')}`, () => {
    mkdirSync(directory, { recursive: true })
    const before = bytesOf(linesOf(notation!))
    writeFileSync(path, before)

    const walked = rest!.split(/ +and to /).map((step) => walk(/^\w+/.exec(step)![0]))

    expect(`to ${walked.join(' and to ')}`).toBe(`to ${rest!.replaceAll(/ +and/g, ' and')}`)
  })
}

test('[sem.C2][sem.C4] a later row on the old line does not move the conversation back', () => {
  mkdirSync(directory, { recursive: true })
  const lines = linesOf('u1@0 a1@1 u2@10 a2@11 x1<a2@12')
  writeFileSync(path, bytesOf(lines.slice(0, -1)))
  expect(walk('u1')).toBe('u1 by pointer: u1 a1')
  appendFileSync(path, bytesOf(lines.slice(-1)))
  expect(open().conversation.head).toBe(uuidOf('u1'))
})

let moves = 0

function walk(name: string): string {
  const session = open()
  const { turns } = session.conversation
  const turn = turns.find((entry) => entry.turn.id === (uuidOf(name) as TurnId))!.turn
  const next = turns.find((entry) => entry.turn.parent === turn.id)?.turn.id ?? null
  const uuid = uuidOf(`move ${++moves}`)
  const planned = linesAfter(
    session,
    { turn: turn.id, next },
    { uuid, at: new Date(Date.UTC(2026, 6, 1, 0, 0, moves)), says: 'moved' },
  )
  if (planned.kind === 'not-movable') return `${name} refused`
  const text = planned.bytes.toString()
  appendFileSync(path, planned.bytes)
  const after = open()
  expect(after.conversation.head).toBe(turn.id)
  const { chain } = findResume(after.transcript.rows, after.transcript.pointers)
  const way = text.includes('compact_boundary') ? 'boundary' : 'pointer'
  return `${name} by ${way}: ${namesOf(linesOfChain(path, chain))}`
}

function open(): ClaudeSession {
  return openSession(config, findSessionFile(config, id)!, openSessionIndex(null))
}
