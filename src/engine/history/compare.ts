import { Failure } from '#failure'
import {
  addTokens,
  countLines,
  noTokens,
  pathTo,
  sameValue,
  type ComparedFile,
  type CompareReport,
  type CompareSide,
  type TurnId,
  type TurnReport,
} from '#timeline'
import { diffFile, openProject, projectContents, type Reveal } from '../project/index.ts'
import { compareValues, findEnd, partPaths } from './diff-turns.ts'
import {
  branchNameOf,
  effectOf,
  readSession,
  reportTurn,
  withKnown,
  type ReadSession,
  type SessionQuery,
} from '../session/index.ts'
import { ingest } from '../witness/index.ts'
import { rootOfSession, type Machine } from '../ground/index.ts'
import { turnName } from '../plan/index.ts'

/** Compares two turns, branches or sessions: where they diverged, and what each did since (W13). */
export function compare(
  machine: Machine,
  wanted: SessionQuery,
  asked: readonly [string, string],
  how: Reveal,
): CompareReport {
  const home = readSession(machine, wanted)
  const [a, b] = asked.map((text) => findWay(machine, home, text)) as [Way, Way]
  if (rootOfSession(a.session.open) !== rootOfSession(b.session.open))
    throw new Failure('projects-differ', 'The two sessions belong to different projects.', {
      hint: 'Only what happened in one project can be compared.',
    })
  using project = openProject(machine, a.session.report.project)
  for (const { open } of new Set([a.session, b.session])) ingest(machine, project, open)
  const parted = partPaths(a.path, b.path)
  const contents = projectContents(project.store)
  const fork = turnName(a.session, parted.shared.at(-1) ?? null)
  const files = compareValues(project, parted)
    .filter(({ first, second }) => !sameValue(first, second))
    .map(({ path, first, second, changedBy }): ComparedFile => {
      const { added, removed } = countLines(contents, first, second)
      const diff = diffFile(contents, { path, before: first, after: second }, how)
      return { ...diff, changedBy, added, removed }
    })
    .sort((x, y) => (x.path < y.path ? -1 : 1))
  return {
    fork: fork && { ...fork, prompt: a.session.tree.turns.get(fork.id)!.prompt },
    sides: [reportSide(machine, a, parted.first), reportSide(machine, b, parted.second)],
    files,
  }
}

interface Way {
  readonly asked: string
  readonly kind: CompareSide['kind']
  readonly session: ReadSession
  /** From the first turn to the requested end. */
  readonly path: readonly TurnId[]
}

/** A branch or a turn of the session, or another session up to its head. */
function findWay(machine: Machine, home: ReadSession, asked: string): Way {
  try {
    const { kind, turn } = findEnd(home.tree, asked)
    return { asked, kind, session: home, path: pathTo(home.tree.turns, turn) }
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'turn-not-found') throw error
    return otherSession(machine, home, asked) ?? fail(error)
  }
}

function otherSession(machine: Machine, home: ReadSession, asked: string): Way | null {
  try {
    const session = readSession(machine, { session: asked, project: null })
    const isHome = session.report.id === home.report.id
    const path = pathTo(session.tree.turns, session.tree.head)
    return { asked, kind: 'session', session: isHome ? home : session, path }
  } catch (error) {
    if (error instanceof Failure && error.code === 'session-not-found') return null
    throw error
  }
}

function fail(error: Failure): never {
  throw error
}

function reportSide(machine: Machine, way: Way, own: readonly TurnId[]): CompareSide {
  const { open, tree, report } = way.session
  const read = withKnown(machine, way.session, (known) =>
    own.map((id) => {
      const { report: turn, tokens } = reportTurn(open, tree, id, known)
      return { turn, tokens }
    }),
  )
  const turns = read.map(({ turn }) => turn)
  const tip = way.path.at(-1) ?? null
  return {
    asked: way.asked,
    kind: way.kind,
    session: report,
    branch: tip === null ? { id: report.id, label: 'main' } : branchNameOf(tree, tip),
    tip,
    length: way.path.length,
    turns: turns.map((turn, i) => ({ ...turn, number: way.path.length - own.length + i + 1 })),
    messages: sum(turns, ({ messages }) => messages),
    steps: sum(turns, ({ steps }) => steps),
    effect: effectOf(turns),
    tokens: read.map(({ tokens }) => tokens).reduce(addTokens, noTokens),
    time: timeBetween(turns),
  }
}

function sum(turns: readonly TurnReport[], of: (turn: TurnReport) => number): number {
  return turns.reduce((all, turn) => all + of(turn), 0)
}

function timeBetween(turns: readonly TurnReport[]): number | null {
  const times = turns.map(({ turn }) => Date.parse(turn.at ?? '')).filter((at) => !Number.isNaN(at))
  return times.length === 0 ? null : Math.max(...times) - Math.min(...times)
}
