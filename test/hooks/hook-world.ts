import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { SpoolEvent } from '#agents'
import * as adapter from '../agent/claude-parts.ts'
import { durableDisk } from '#disk'
import type { Scene } from '../scene.ts'

/** The spool of a scene, ready for hooks, and its events in short form. */
export interface HookWorld {
  readonly spool: string
  events(): readonly SpoolEvent[]
  /** `PreToolUse Bash`, `shell start` …, in order of time. */
  story(): string[]
}

export function hookWorld(s: Scene): HookWorld {
  const spool = adapter.prepareSpool(durableDisk, join(s.env['XDG_STATE_HOME']!, 'retake'))
  const events = (): readonly SpoolEvent[] => {
    const { events, garbage } = adapter.readSpool(durableDisk, spool, { now: new Date() })
    if (garbage.length > 0)
      throw new Error(`garbage in the spool: ${JSON.stringify(garbage[0]!.why)}`)
    return events
  }
  return { spool, events, story: () => events().map(tell) }
}

function tell(event: SpoolEvent): string {
  if (event.kind === 'shell') return `shell ${event.name}`
  const { name, tool, agentId } = event
  return [name, tool, agentId === undefined ? '' : '(subagent)'].filter(Boolean).join(' ')
}

/** Adds the hooks to the settings of the scene's user. */
export function addHooks(s: Scene): void {
  const places = { config: s.claudeDir, project: s.project }
  adapter.planInstall(durableDisk, places, 'user').apply()
}

/**
 * Waits until the scans that hooks started in the background are over; users are slower than tests.
 * A process that only waits for the next scan does not count.
 */
export async function scansAreDone(s: Scene): Promise<void> {
  const state = join(s.env['XDG_STATE_HOME']!, 'retake')
  const looks = async (): Promise<string[]> => {
    const asked = await readdir(join(state, 'looks')).catch((): string[] => [])
    const started = (await readdir(state)).filter((name) => name.startsWith('look.'))
    const requests = asked.filter((name) => name.includes('.'))
    return [...requests, ...started.filter((name) => !asked.includes(name.slice('look.'.length)))]
  }
  await expect.poll(looks, { timeout: 30_000 }).toEqual([])
}

/** The kinds of a transcript's rows, without those written at unpredictable moments. */
export function kindsOf(rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  return rows
    .filter(({ type }) => !ODD.has(String(type)))
    .map(({ type, subtype, attachment }) =>
      [type, subtype ?? (attachment as { type?: string } | undefined)?.type]
        .filter(Boolean)
        .join(' '),
    )
}

/** Written by timers and buffers of the agent, in a different order each run. */
const ODD = new Set([
  'api-request',
  'api-request-blob',
  'api-request-shape',
  'last-prompt',
  'atis-latch',
  'tools-used',
  'cost-state',
  'queue-operation',
])
