import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Random } from './random.ts'

/** Malformed transcripts: real rows with broken structure and bytes, as some exist in practice. */

const root = fileURLToPath(new URL('../fixtures/claude-code/2.1.325', import.meta.url))

/** Every line of every recorded session, as text. */
export const recordedLines: readonly string[] = readdirSync(root, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.jsonl'))
  .flatMap((name) => readFileSync(join(root, name), 'utf8').split('\n'))
  .filter((line) => line !== '')

export function fuzzTranscript(random: Random): Buffer {
  const uuids = Array.from({ length: 1 + random.below(12) }, () => random.uuid())
  const parts: Buffer[] = []
  const count = random.below(30)
  for (let i = 0; i < count; i++) {
    parts.push(Buffer.from(bendRow(random, uuids)))
    parts.push(
      Buffer.from(random.chance(0.95) ? '\n' : random.pick(['', '\r\n', '\n\n', ' \n', '\r'])),
    )
  }
  const bytes = Buffer.concat([
    ...(random.chance(0.03) ? [Buffer.from([0xef, 0xbb, 0xbf])] : []),
    ...parts,
  ])
  return random.chance(0.5) ? bytes : bendBytes(random, bytes)
}

function bendRow(random: Random, uuids: readonly string[]): string {
  const line = random.pick(recordedLines)
  if (random.chance(0.1)) return random.pick(ODD)
  const row = JSON.parse(line) as Record<string, unknown>
  // Few uuids for many rows produce duplicates, cycles, dangling and forward parents.
  if ('uuid' in row && random.chance(0.9)) row['uuid'] = random.pick(uuids)
  if ('parentUuid' in row && random.chance(0.9))
    row['parentUuid'] = random.chance(0.1) ? null : random.pick(uuids)
  if ('leafUuid' in row) row['leafUuid'] = random.chance(0.1) ? null : random.pick(uuids)
  for (let n = random.below(3); n > 0; n--) {
    const key = random.pick(Object.keys(row))
    if (random.chance(0.3)) delete row[key]
    else row[key] = random.pick(VALUES)
  }
  if (random.chance(0.05))
    row[random.pick(['__proto__', 'constructor', 'toString', 'x'])] = random.pick(VALUES)
  return JSON.stringify(row)
}

const VALUES: readonly unknown[] = [
  null, true, 0, -1, 1e308, '', 'x', '\u0000', '\ud800', '\u001b[2J', 'true', [], [[]], {}, { content: null },
  [{ type: 'tool_result' }], [{ type: 'tool_use', id: 5, input: null }], { type: 'compact_boundary' },
  'user', 'assistant', 'system', 'x'.repeat(5000), '2026-13-45T99:99:99Z',
] // prettier-ignore

const ODD: readonly string[] = [
  '', ' ', '{', '}', '[]', 'null', '"x"', '{}', '{"type":1}', '{"type":"user"}', '{"type":"new-kind","uuid":"u"}',
  '{"type":"user","uuid":"a","parentUuid":"a","message":{"content":"ring"}}',
  '{"type":"user","uuid":"\\ud800","message":null}', '{"__proto__":{"type":"user","uuid":"p"}}',
  '{"type":"system","subtype":"compact_boundary","uuid":"b","compactMetadata":{"preservedMessages":{"anchorUuid":"b","uuids":["b","b"]}}}',
  `{"type":"user","uuid":"d","message":${'['.repeat(2000)}${']'.repeat(2000)}}`,
  `${'\u0000'.repeat(300)}{"type":"user","uuid":"n","message":{"content":"after zeros"}}`,
] // prettier-ignore

/** Tears, splices, zeroes and flips bytes, like crashes, concurrent writers and bad disks. */
function bendBytes(random: Random, whole: Buffer): Buffer {
  let bytes = whole
  for (let n = 1 + random.below(4); n > 0 && bytes.length > 0; n--) {
    const at = random.below(bytes.length)
    const length = random.below(Math.min(600, bytes.length - at)) + 1
    switch (random.below(5)) {
      case 0:
        bytes = bytes.subarray(0, at)
        break
      case 1:
        bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
        break
      case 2:
        bytes = Buffer.concat([
          bytes.subarray(0, at),
          Buffer.from(random.pick(recordedLines)),
          bytes.subarray(at),
        ])
        break
      case 3:
        bytes = Buffer.from(bytes).fill(0, at, at + length)
        break
      default:
        bytes = Buffer.from(bytes)
        bytes[at] = random.below(256)
    }
  }
  return bytes
}
