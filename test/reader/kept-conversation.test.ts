import { appendFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs' // prettier-ignore
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { durableDisk, identityOf, statPath } from '#disk'
import { all, openCache, run, type Cache } from '#store'
import { digestOf } from '../../src/agents/claude-code/chain/digest.ts'
import {
  describePlain,
  extendConversation,
} from '../../src/agents/claude-code/chain/extend-conversation.ts'
import { indexFormat } from '../agent/claude-parts.ts'
import { keepConversationOf, readKept } from '../../src/agents/claude-code/chain/kept-reading.ts'
import { factsOf } from '../../src/agents/claude-code/chain/turn-facts.ts'
import { readTranscript, type Transcript } from '../../src/agents/claude-code/rows/transcript.ts'
import { buildConversation, type Conversation } from '../../src/agents/claude-code/chain/turns.ts'
import { numRuns } from '../../src/timeline/data/runs.testing.ts'
import { fixtures, openFixture } from './fixtures.ts'
import { seededRandom, type Random } from './random.ts'

const recorded = fixtures.map((name) => linesOf(name))

test('[perf] a conversation continued from a cached one equals one built from scratch', () => {
  const random = seededRandom(Number(process.env['SEED'] ?? 7))
  let extended = 0
  inFile((path) => {
    for (let n = 0; n < numRuns(100); n++) {
      const lines = changed(random.pick(recorded), random)
      const end = Math.max(0, lines.length - 1 - random.below(4))
      const cut = random.chance(0.3) ? end : random.below(lines.length)
      writeFileSync(path, lines.slice(0, cut).join(''))
      const known = readTranscript(path)
      const before = buildConversation(known)
      const plain = describePlain(known, before)
      writeFileSync(path, lines.slice(0, cut + 1 + random.below(6)).join(''))
      const whole = readTranscript(path)
      const later = {
        rows: whole.rows.slice(known.rows.length),
        pointers: whole.pointers.slice(known.pointers.length),
      }
      const found = plain && extendConversation(before, plain, later)
      if (found === null) continue
      extended += later.rows.length > 0 ? 1 : 0
      expect(describe(found, whole)).toEqual(describe(buildConversation(whole), whole))
    }
  })
  // Otherwise the test would prove nothing.
  expect(extended).toBeGreaterThan(20)
})

test('[perf][FT14] the cache of a transcript matches it, however it grew, shrank or was damaged', () => {
  const random = seededRandom(Number(process.env['SEED'] ?? 7))
  inFile((path, openIndex) => {
    for (let n = 0; n < numRuns(8); n++) {
      const lines = changed(random.pick(recorded), random)
      writeFileSync(path, lines.slice(0, random.below(lines.length)).join(''))
      let at = 0
      while (at < 5) {
        at += 1
        using cache = openIndex()
        if (random.chance(0.2)) damage(cache, random)
        const transcript = readKept(cache, path, identityOf(statPath(path)!))
        const conversation = buildConversation(transcript)
        if (random.chance(0.7)) keepConversationOf(cache, transcript, conversation, Infinity)
        const anew = readTranscript(path)
        expect(describe(conversation, transcript)).toEqual(describe(buildConversation(anew), anew))
        expect({ ...transcript }).toEqual(anew)
        const size = Number(statPath(path)!.size)
        if (random.chance(0.15)) truncateSync(path, random.below(size + 1))
        else appendFileSync(path, some(lines, random).join(''))
      }
    }
  })
})

/** Everything that other rooms ask of a conversation; rows by their place. */
function describe(conversation: Conversation, transcript: Transcript): unknown {
  const { turns, head, leaf, preamble, kept } = conversation
  const places = (rows: readonly { place: number }[]): number[] => rows.map(({ place }) => place)
  return {
    turns: turns.map((entry) => ({
      turn: entry.turn,
      rows: places(entry.rows),
      asides: places(entry.asides),
      facts: factsOf(entry),
    })),
    head,
    leaf: leaf?.place ?? null,
    preamble: places(preamble),
    kept,
    digest: digestOf(transcript, conversation),
  }
}

/** As recorded, or with changes that people, agents and Retake make to such a file. */
function changed(lines: readonly string[], random: Random): string[] {
  const all = [...lines]
  const ids = lines.flatMap((line) => /"uuid":"([^"]+)"/.exec(line)?.[1] ?? [])
  const acts = [
    () => all.splice(random.below(all.length), 1),
    () => all.splice(random.below(all.length), 0, random.pick(lines)),
    () => all.splice(random.below(all.length), 0, '{"type":"user","uu'),
    () => insert({ type: 'last-prompt', leafUuid: random.pick(ids), explicit: random.chance(0.5) }),
    () => insert({ type: 'last-prompt', leafUuid: null, explicit: true }),
    () => insert({ type: 'system', subtype: 'informational', uuid: random.uuid(), parentUuid: random.pick(ids), timestamp: '2026-11-15T00:00:00Z' }), // prettier-ignore
    () => insert({ type: 'user', message: { role: 'user', content: 'again' }, uuid: random.uuid(), parentUuid: random.pick(ids), promptSource: 'typed', cwd: '/p', timestamp: '2026-11-15T00:00:00Z' }), // prettier-ignore
  ]
  function insert(row: object): void {
    all.splice(random.below(all.length), 0, `${JSON.stringify(row)}\n`)
  }
  while (random.chance(0.5)) random.pick(acts)()
  // As `undo --keep-prompt` leaves it, with a prompt after it.
  const prompt = lines.findLast((line) => line.includes('"promptSource"'))
  const kept = /"uuid":"([^"]+)"/.exec(prompt ?? '')?.[1]
  if (kept !== undefined && random.chance(0.4)) {
    const note = random.uuid()
    const rows = [
      { type: 'system', subtype: 'informational', uuid: note, parentUuid: kept },
      { type: 'last-prompt', leafUuid: note, explicit: true },
      { type: 'user', message: { role: 'user', content: 'go on' }, promptSource: 'typed', uuid: random.uuid(), parentUuid: random.pick([kept, note]) }, // prettier-ignore
    ]
    all.push(
      ...rows.map((row) => `${JSON.stringify({ ...row, timestamp: '2026-11-15T00:00:00Z' })}\n`),
    )
  }
  return all
}

function some(lines: readonly string[], random: Random): readonly string[] {
  const from = random.below(lines.length)
  return lines.slice(from, from + 1 + random.below(8))
}

function damage({ database }: Cache, random: Random): void {
  const table = random.pick(['conversations', 'segments'])
  const rows = all(database, `select rowid, data from ${table}`)
  if (rows.length === 0) return
  const { rowid, data } = random.pick(rows)
  const bytes = Buffer.from(data as Uint8Array)
  bytes[random.below(bytes.length)]! ^= 1
  run(database, `update ${table} set data = ? where rowid = ?`, bytes, rowid as number)
}

function inFile(use: (path: string, openIndex: () => Cache) => void): void {
  const root = mkdtempSync(join(tmpdir(), 'retake-kept-'))
  const place = { directory: join(root, 'cache'), name: 'sessions.db', disk: durableDisk }
  try {
    use(join(root, 'session.jsonl'), () => openCache(place, indexFormat))
  } finally {
    rmSync(root, { recursive: true })
  }
}

function linesOf(name: string): string[] {
  using fixture = openFixture(name)
  const directory = join(fixture.config, 'projects')
  const path = readdirSync(directory, { recursive: true }).find((each) =>
    /^[^/]+\/[^/]+\.jsonl$/.test(String(each)),
  )
  const lines = readFileSync(join(directory, String(path)), 'utf8').split(/(?<=\n)/)
  // Most of the bytes, but no part of the conversation.
  return lines.filter((line) => !line.startsWith('{"type":"api-request'))
}
