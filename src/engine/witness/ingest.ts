import type { OpenSession, TurnReading } from '#agents'
import { lstatPath } from '#disk'
import {
  advanceLedger,
  allCells,
  allSightings,
  appendLinks,
  dropCell,
  forgetSightings,
  lastScan,
  latestLinks,
  ledgerSeq,
  linksOfAuthor,
  linksOfPath,
  oldestSighting,
  putCells,
  putSessionFact,
  write,
  type LinkAuthor,
  type Sighting,
} from '#store'
import {
  absent,
  addLink,
  isSameText,
  type Author,
  type Cell,
  type ContentId,
  type Contents,
  type OperationId,
  type ProjectPath,
  type TurnId,
  type Value,
} from '#timeline'
import { forgottenTurns } from './forgotten-turns.ts'
import {
  listSessionFilesBelow,
  type Machine,
  openSessionFile,
  projectRoot,
} from '../ground/index.ts'
import { copyFromGit, observeProject } from './observe-project.ts'
import {
  openAgreed,
  outsidePath,
  projectContents,
  projectPaths,
  type Project,
} from '../project/index.ts'
import { findRewound, noteRewound, passedBy } from './find-rewound.ts'
import { findRemovedCells, markRemoved } from './passed-over.ts'
import type { Witnesses } from './authors.ts'
import { gitChangesIn } from './git-changes.ts'
import { callsIn, linksOf, type FreshEdit } from './edit-calls.ts'
import { knownSteps, presenceOn } from './known-steps.ts'
import { isLeftAlone, noteLeftAlone, splitReplaced } from './left-alone.ts'
import { noteShared } from './left-shared.ts'
import { similarityOf } from './similarity.ts'
import { pairRenames } from './pair-renames.ts'
import { workedElsewhere } from './elsewhere.ts'
import { evidenceOf } from './recorded-links.ts'
import { PATH_RULES, INGESTED_TURNS, ingestedTurns, type IngestedTurn } from './ingested-turns.ts'
import { MAX_LAG } from './sightings-of.ts'
import { settleContinued } from './settle-continued.ts'
import { takeEditorSaves } from './editor-saves.ts'
import { editorOn } from './doubt-authors.ts'
import { isTemporaryWrite } from './temporary-writes.ts'
import { nameStepsBesideGit } from './steps-beside-git.ts'
import { takeSpool } from './take-spool.ts'
import { isTooEarly, lastRowOf } from './too-early.ts'
import { combineLinks } from './combine-links.ts'
import type { CombinedLink } from './combined-link.ts'

export interface Planning {
  readonly agree?: readonly string[]
  /** Whether a turn of the session is known to have no steps, so that it need not be read again. */
  readonly isEmpty?: (turn: TurnId) => boolean
}

/**
 * Adds a session's recorded edits and the scans' sightings to the project's ledger: each change
 * becomes a link, each turn and path a cell. Reads only what is new. Runs in one transaction, so
 * that two processes cannot ingest the same edit twice. A reader can wait for what the agent has
 * not recorded yet; a plan cannot, because what is not in the ledger would stay in silence.
 */
export function ingest(
  machine: Machine,
  project: Project,
  session: OpenSession,
  planning: Planning | null = null,
): void {
  const { store } = project
  openAgreed(machine, project, session, planning?.agree ?? [])
  const isWatched = lastScan(store) !== null
  if (isWatched) observeProject(machine, project, [session.file.id])
  // To find a change's author, read every session that may have made it.
  const sessions = isWatched ? [session, ...sessionsBeside(machine, project, session)] : [session]
  if (isWatched) takeSpool(machine, project, new Set(sessions.map(({ file: { id } }) => id)))
  write(store, () => {
    const seen = allSightings(store)
    const witnesses = witnessesOf(machine, project, sessions, seen)
    const isReady = planning !== null || !witnesses.areTooEarly
    if (!isReady) machine.unsettled.add(session.file.id)
    const fresh = isReady
      ? sessions.flatMap((each) =>
          takeTurns(project, each, each === session ? planning?.isEmpty : undefined),
        )
      : []
    const sightings = isReady ? seen : []
    if (sightings.length > 0) forgetSightings(store)
    const isNews = fresh.length > 0 || sightings.length > 0
    if (isNews) addToLedger(machine, project, sessions, { fresh, sightings, witnesses })
    nameStepsBesideGit(store, session)
    findRewound(project, session, isNews)
    settleContinued(store, session, ingestedTurns(project, session.file.id))
  })
}

/** The project's other sessions that were written to since the oldest sighting not yet ingested. */
function sessionsBeside(machine: Machine, project: Project, { file }: OpenSession): OpenSession[] {
  const since = BigInt(oldestSighting(project.store) ?? Number.MAX_SAFE_INTEGER) * 1_000_000n
  return listSessionFilesBelow(machine, project.path)
    .filter(({ id, identity }) => id !== file.id && identity.modified >= since)
    .map((other) => openSessionFile(machine, other))
    .filter(({ summary }) => {
      const start = summary.project
      return start === null || projectRoot(machine, start) === project.path
    })
}

const NOTHING: Pick<TurnReading, 'edits' | 'hasAgents' | 'moments'> = {
  edits: [],
  hasAgents: false,
  moments: [],
}

/** The new edits of turns that grew since they were ingested. Marks those turns as ingested. */
function takeTurns(
  project: Project,
  session: OpenSession,
  isEmpty: Planning['isEmpty'] = () => false,
): FreshEdit[] {
  const { store } = project
  const taken: Record<string, IngestedTurn> = { ...ingestedTurns(project, session.file.id) }
  const fresh: FreshEdit[] = []
  const forgotten = forgottenTurns(project, session.file.id)
  const isTaken = (id: TurnId): boolean => {
    const known = taken[id]
    if (known?.rows !== session.factsOf(id).rows || known.paths !== PATH_RULES) return false
    return known.outside?.every((path) => outsidePath(project, path) === null) ?? true
  }
  const grown = session.conversation.turns.filter(
    ({ turn: { id } }) => !isTaken(id) && !forgotten.has(id),
  )
  if (grown.length === 0) return []
  const pathOf = projectPaths(project.path)
  let newest = ledgerSeq(store)
  for (const { turn } of grown) {
    const before = taken[turn.id]
    const { edits, hasAgents, moments } = isEmpty(turn.id) ? NOTHING : session.readTurn(turn.id)
    const callOf = callsIn(moments)
    const links = edits.length === 0 ? [] : linksOfAuthor(store, { kind: 'turn', id: turn.id })
    const known = new Set(links.map(({ evidence }) => evidence))
    fresh.push(
      ...edits
        .filter((edit) => !known.has(evidenceOf(edit)))
        .map((edit) => ({ turn: turn.id, since: turn.at, edit, ...callOf(edit) })),
    )
    const outside = edits
      .map(({ path }) => path)
      .filter((path) => pathOf(path) === null && outsidePath(project, path) === null)
    // A subagent can write long after its turn, so a turn with subagents is read again every time.
    const seq = before?.seq ?? (newest += 1)
    taken[turn.id] = {
      seq,
      rows: hasAgents ? -1 : session.factsOf(turn.id).rows,
      paths: PATH_RULES,
      ...(outside.length === 0 ? {} : { outside: [...new Set(outside)] }),
    }
  }
  advanceLedger(store, newest)
  putSessionFact(store, session.file.id, INGESTED_TURNS, taken)
  return fresh
}

/** What ran while the sightings' changes were made; and whether it is too early to say. */
function witnessesOf(
  machine: Machine,
  project: Project,
  sessions: readonly OpenSession[],
  sightings: readonly Sighting[],
): Witnesses & { readonly areTooEarly: boolean } {
  if (sightings.length === 0) return { steps: [], unseen: [], areTooEarly: false }
  const presence = presenceOn(machine)
  const since = Math.min(...sightings.map((sighting) => sighting.since))
  // A step's times lag behind those of scans, like its files' times.
  const witnesses = knownSteps(project, sessions, since - MAX_LAG, presence)
  const lastRows = sessions.filter(({ file }) => presence.isBusy(file.id)).map(lastRowOf)
  const areTooEarly = isTooEarly(sightings, witnesses, { now: presence.now, lastRows })
  const unseen = witnesses.unseen.filter(({ ended }) => ended >= since)
  return { ...witnesses, unseen, since, areTooEarly }
}

interface News {
  readonly fresh: readonly FreshEdit[]
  readonly sightings: readonly Sighting[]
  readonly witnesses: Witnesses
}

function addToLedger(
  machine: Machine,
  project: Project,
  sessions: readonly OpenSession[],
  { fresh, sightings, witnesses }: News,
): void {
  const { store } = project
  const before = new Map(allCells(store).map(({ cell }) => [cell.id, cell]))
  let cells: readonly Cell[] = [...before.values()]
  const contents = projectContents(store)
  const since = Math.min(...sightings.map((sighting) => sighting.since))
  let links: CombinedLink[] = []
  gitChangesIn(project, (gitChanges) => {
    links = combineLinks(
      [...knownLinks(project, sightings, since), ...linksOf(project, fresh, sightings)],
      sightings,
      witnesses,
      {
        gitChanges,
        isSameText: sameTextIn(contents),
        isInEditor: editorOn(project.path),
        isEditorSave: takeEditorSaves(store),
        isElsewhere: workedElsewhere(machine, project, sessions, sightings),
      },
    )
  })
  const combined = pairRenames(copyNamed(machine, project, links).flatMap(splitReplaced), (a, b) =>
    similarityOf(contents, a, b),
  )
  const exists = (path: string): boolean =>
    lstatPath(path.startsWith('/') ? path : `${project.path}/${path}`) !== null
  for (const link of combined) {
    if (isTemporaryWrite(link, exists)) continue
    if (isLeftAlone(link)) {
      noteLeftAlone(store, link)
      continue
    }
    noteShared(store, link)
    // Do this before the link gets its number: the file no longer had those effects when it was
    // made.
    if (link.author.kind === 'turn') {
      const passed = passedBy(sessions, link.author.id as TurnId)
      takeOut(passed, link.from ?? link.path, link.before)
      if (link.from !== null) takeOut(passed, link.path, absent)
    }
    const [seq] = appendLinks(store, [link])
    cells = addLink(cells, {
      seq: seq!,
      path: link.path,
      renamedFrom: link.from,
      before: link.before,
      after: link.after,
      author: authorOf(link.author),
      madeDirectories: link.madeDirectories,
      ...(link.directory === undefined ? {} : { directory: link.directory }),
    })
  }
  putCells(
    store,
    cells.filter((cell) => before.get(cell.id) !== cell),
  )
  const left = new Set(cells.map(({ id }) => id))
  for (const id of before.keys()) if (!left.has(id)) dropCell(store, id)

  function takeOut(passed: ReadonlySet<TurnId>, path: ProjectPath, content: Value): void {
    for (const cell of findRemovedCells(cells, passed, { path, content })) {
      noteRewound(store, cell, { content, sessions })
      const out = markRemoved(cell, advanceLedger(store, ledgerSeq(store) + 1))
      cells = cells.map((each) => (each === cell ? out : each))
    }
  }
}

/**
 * Copies contents that only git has for both sides of the links, because git may lose them before
 * an undo (sem.K3). Contents that are already gone become unknown.
 */
function copyNamed(
  machine: Machine,
  project: Project,
  links: readonly CombinedLink[],
): readonly CombinedLink[] {
  const missing = copyFromGit(
    machine,
    project,
    links.flatMap(({ before, after }) => [before, after]),
  )
  if (missing.size === 0) return links
  const known = (value: Value): Value =>
    value.kind === 'file' && missing.has(value.content)
      ? { kind: 'unknown', why: 'git no longer has it' }
      : value
  return links.map((link) => ({ ...link, before: known(link.before), after: known(link.after) }))
}

function sameTextIn(contents: Contents): (a: ContentId, b: ContentId) => boolean {
  return (a, b) =>
    contents.has(a) && contents.has(b) && isSameText(contents.bytes(a), contents.bytes(b))
}

/**
 * Links already in the ledger: those of the seen paths, and the latest ones of other paths since
 * then. They explain part of what was seen.
 */
function knownLinks(
  { store }: Project,
  sightings: readonly Sighting[],
  since: number,
): CombinedLink[] {
  const paths = new Set(sightings.map(({ path }) => path))
  return [
    ...[...paths].flatMap((path) => linksOfPath(store, path)),
    ...latestLinks(store).filter(({ path, at }) => at >= since && !paths.has(path)),
  ].map((link) => ({ ...link, madeDirectories: [], isKnown: true as const }))
}

function authorOf({ kind, id }: LinkAuthor): Author {
  if (kind === 'turn' || kind === 'shared' || kind === 'unsure') return { kind, turn: id as TurnId }
  return kind === 'operation' ? { kind, operation: id as OperationId } : { kind }
}
