import { readFileSync } from 'node:fs'
import { isRecording } from '../operations/recordings.ts'
import { linesOf, namesOf } from './notation.ts'
import type { Answer, Probe } from './probe.ts'
import { seededRandom } from './random.ts'
import { bytesOf, makeVariant, type SessionLine } from './variants.ts'

/** A file on which the reader and the real agent disagree. */
export interface Difference {
  readonly what: string
  readonly reader: readonly string[]
  readonly agent: readonly string[]
}

/** Compares several files in parallel and continues after differences. */
export async function compareAll(
  cases: readonly (() => Promise<Difference | null>)[],
  progress: (done: number, different: number) => void = () => {},
): Promise<Difference[]> {
  const differences: Difference[] = []
  let next = 0
  let done = 0
  const work = async (): Promise<void> => {
    while (next < cases.length) {
      const difference = await cases[next++]!()
      if (difference !== null) differences.push(difference)
      progress(++done, differences.length)
    }
  }
  // One at a time while recording, because a recording claims every request that arrives.
  await Promise.all(isRecording() ? [work()] : [work(), work(), work()])
  return differences
}

/**
 * Known difference: if a bridge by time passes one answer in two places, as in a cycle of parents,
 * the agent sends the results of its tool calls differently. Then only texts are compared.
 */
export async function compareVariant(
  probe: Probe,
  bases: Readonly<Record<string, readonly SessionLine[]>>,
  seed: number,
): Promise<Difference | null> {
  const { name, lines } = makeVariant(bases, seededRandom(seed))
  const answer = await probe.resume(bytesOf(lines))
  const { reader, agent } = answer.apart ? textsOf(answer) : withNothing(answer)
  return isSame(reader, agent) ? null : { what: `seed ${seed}: ${name}`, reader, agent }
}

function isSame(reader: readonly string[], agent: readonly string[]): boolean {
  return JSON.stringify(reader) === JSON.stringify(agent)
}

function withNothing({ reader, agent }: Answer): Pick<Difference, 'reader' | 'agent'> {
  return { reader, agent: agent ?? [] }
}

function textsOf(answer: Answer): Pick<Difference, 'reader' | 'agent'> {
  const { reader, agent } = withNothing(answer)
  const isText = (line: string): boolean => !/^\w+: (call|result) /.test(line)
  return { reader: reader.filter(isText), agent: agent.filter(isText) }
}

export interface MeasuredCase {
  readonly notation: string
  /** Names of rows; empty when the agent finds no conversation. */
  readonly sent: string
}

/** Handmade files, with what the real agent sent. */
export function measuredCases(): MeasuredCase[] {
  const text = readFileSync(new URL('resume-cases.txt', import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [notation, sent = ''] = line.split(/ -> ?/)
      return { notation: notation!, sent: sent === 'none' ? '' : sent }
    })
}

export async function compareMeasured(
  probe: Probe,
  { notation, sent }: MeasuredCase,
): Promise<Difference | null> {
  const { reader, agent } = await probe.resume(bytesOf(linesOf(notation)))
  const names = [namesOf(reader), namesOf(agent ?? [])]
  if (names.every((name) => name === sent)) return null
  return { what: `${notation} -> ${sent}`, reader, agent: agent ?? [] }
}

export function describeDifference({ what, reader, agent }: Difference): string {
  const lines = [what]
  for (let i = 0; i < Math.max(reader.length, agent.length); i++) {
    const [own, real] = [reader[i] ?? '', agent[i] ?? '']
    lines.push(`  ${own === real ? ' ' : '*'} ${short(own).padEnd(50)} | ${short(real)}`)
  }
  return lines.join('\n')
}

function short(line: string): string {
  return line.replaceAll(/\s+/g, ' ').slice(0, 48)
}
