import type { OpenSession, SessionFile } from '#agents'
import { listWatchedElsewhere, type Sighting } from '#store'
import { stepsOf, type Step } from '#timeline'
import {
  listSessionFiles,
  listSessionFilesBelow,
  type Machine,
  openSessionFile,
} from '../ground/index.ts'
import { isIn, type Project } from '../project/index.ts'
import { TICK } from './authors.ts'

/**
 * Whether a session of another project worked on a file when it changed: it ran a command then, or
 * edited that file. Projects can share a directory through `--add-dir`, and a project's ledger does
 * not contain another project's turns.
 */
export function workedElsewhere(
  machine: Machine,
  project: Project,
  sessions: readonly OpenSession[],
  sightings: readonly Sighting[],
): (sighting: Sighting) => boolean {
  if (sightings.length === 0) return () => false
  const since = Math.min(...sightings.map((sighting) => sighting.since))
  const own = new Set(sessions.map(({ file }) => file.id))
  let others: ReturnType<typeof listWatchedElsewhere> | null = null
  const known = new Map<string, readonly Worked[]>()
  const workIn = (region: string): readonly Worked[] => {
    let found = known.get(region)
    if (found === undefined) {
      others ??= listWatchedElsewhere(machine.disk, machine.places.data).filter(
        (each) => each.project !== project.path,
      )
      const files = new Map(
        [
          ...(region === project.path ? [] : sessionsAt(machine, region)),
          ...others
            .filter(({ directory }) => isIn(directory, region) || isIn(region, directory))
            .flatMap((each) => sessionsAt(machine, each.project)),
        ].map((file) => [file.id, file]),
      )
      found = [...files.values()]
        .filter(({ id, identity }) => !own.has(id) && identity.modified >= nanos(since))
        .flatMap((file) => workOf(openSessionFile(machine, file), since))
      known.set(region, found)
    }
    return found
  }
  return (sighting) => {
    const { path, changedAt, since: from, at } = sighting
    const [first, last] = changedAt === null ? [from, at] : [changedAt, changedAt]
    const region = path.startsWith('/') ? regionOf(project, path) : project.path
    const whole = path.startsWith('/') ? path : `${project.path}/${path}`
    return workIn(region).some(
      (work) =>
        work.began <= last && work.ended >= first && (work.path === null || work.path === whole),
    )
  }
}

/** The innermost directory outside the project that contains the path. */
function regionOf({ root: { annexes } }: Project, path: string): string {
  const around = annexes.filter((annex) => isIn(annex.path, path)).map((annex) => annex.path)
  return around.toSorted((a, b) => b.length - a.length)[0] ?? path
}

/** Sessions that started in a directory, below it or above it. */
function sessionsAt(machine: Machine, directory: string): SessionFile[] {
  const parts = directory.split('/')
  const above = parts.slice(2).map((_, i) => parts.slice(0, i + 2).join('/'))
  return [...listSessionFilesBelow(machine, directory), ...listSessionFiles(machine, above)]
}

interface Worked {
  readonly began: number
  readonly ended: number
  /** The edited file; null for a command, which may have changed any file. */
  readonly path: string | null
}

function workOf(session: OpenSession, since: number): Worked[] {
  return session.conversation.turns.flatMap(({ turn }) => {
    const last = session.factsOf(turn.id).ended
    if (last !== null && last < since) return []
    return allSteps(stepsOf(session.readTurn(turn.id).moments)).flatMap((step): Worked[] => {
      const [at, endedAt] = [Date.parse(step.at ?? ''), Date.parse(step.endedAt ?? '')]
      const began = Number.isNaN(at) ? Number.NEGATIVE_INFINITY : at - TICK
      const ended = Number.isNaN(endedAt) ? Number.POSITIVE_INFINITY : endedAt + TICK
      if (step.outcome === 'denied') return []
      if (step.unknownEffect !== null) return [{ began, ended, path: null }]
      return step.edits.map(({ path }) => ({ began, ended, path }))
    })
  })
}

function allSteps(steps: readonly Step[]): Step[] {
  return steps.flatMap((step) => [step, ...allSteps(step.agent?.steps ?? [])])
}

function nanos(milliseconds: number): bigint {
  return BigInt(Math.floor(milliseconds)) * 1_000_000n
}
