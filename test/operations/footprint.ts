import { createHash } from 'node:crypto'
import { lstatSync, readFileSync, readdirSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Scene } from '../scene.ts'

/**
 * Everything an operation could touch, at one moment: each file of the project (including git's
 * own) with inode, times and bytes, and each file of the agent. Two footprints show what an
 * operation did, independent of its receipt.
 */
export interface Footprint {
  readonly project: ReadonlyMap<string, Entry>
  readonly agent: ReadonlyMap<string, Buffer>
}

interface Entry {
  readonly content: string
  /** Distinguishes a file rewritten with the same bytes from an untouched one. */
  readonly identity: string
}

export function footprint(s: Scene): Promise<Footprint> {
  return Promise.resolve(readFootprint(s))
}

/**
 * Synchronous: most tests read it around every verb, and promises per file would be much slower.
 */
function readFootprint(s: Scene): Footprint {
  const project = new Map<string, Entry>()
  for (const path of filesBelow(s.project)) {
    const whole = join(s.project, path)
    const stat = lstatSync(whole, { bigint: true })
    const bytes = stat.isSymbolicLink()
      ? readlinkSync(whole, 'buffer')
      : stat.isFile()
        ? readFileSync(whole)
        : Buffer.alloc(0)
    project.set(path, {
      content: `${stat.mode.toString(8)} ${createHash('sha1').update(bytes).digest('hex')}`,
      identity: `${stat.ino} ${stat.mtimeNs}`,
    })
  }
  const agent = new Map<string, Buffer>()
  for (const top of ['projects', 'file-history'])
    for (const path of filesBelow(join(s.claudeDir, top)))
      agent.set(`${top}/${path}`, readFileSync(join(s.claudeDir, top, path)))
  return { project, agent }
}

/**
 * [I4] [I5] Only `changed` may differ; all else keeps its inode and times. Transcripts may only
 * grow, and only as `appended` allows; a live agent may write to its own.
 */
export function expectOnly(
  before: Footprint,
  after: Footprint,
  { changed, appended }: { changed: readonly string[]; appended: 'may' | 'no' | 'by-agent' },
): void {
  const allowed = new Set(changed)
  const touched: string[] = []
  for (const path of new Set([...before.project.keys(), ...after.project.keys()])) {
    const [old, now] = [before.project.get(path), after.project.get(path)]
    if (allowed.has(path) && old?.content !== now?.content) continue
    if (old?.content !== now?.content || old?.identity !== now?.identity) touched.push(path)
  }
  expect(touched, 'files that were not to be touched').toEqual([])
  if (appended !== 'by-agent')
    expect([...after.agent.keys()], 'files of the agent').toEqual([...before.agent.keys()])
  for (const [path, old] of before.agent) {
    const now = after.agent.get(path)!
    const begins = now.subarray(0, old.length).equals(old)
    expect(begins, `the old bytes are the beginning of ${path}`).toBe(true)
    if (appended === 'no') expect(now.length, path).toBe(old.length)
    // The agent's own rows mention Retake too: hook output has an `entrypoint`, and a timer writes
    // down requests, with what MCP servers say of themselves.
    const isOurs = (row: string) =>
      row.includes('"explicit":true') ||
      (/Retake/.test(row) && !/"entrypoint":|^\{"type":"api-request/.test(row))
    if (appended === 'by-agent')
      expect(now.subarray(old.length).toString().split('\n').filter(isOurs), path).toEqual([])
  }
}

function filesBelow(root: string): string[] {
  if (lstatSync(root, { throwIfNoEntry: false }) === undefined) return []
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted()
}
