import { appendStep, relocateStep, type OpenSession, type SessionFile } from '#agents'
import { createFiles } from '#disk'
import {
  editsOf,
  noTokens,
  stepsOf,
  type Moment,
  type Recorded,
  type Turn,
  type TurnId,
} from '#timeline'
import { readToy, toyLine, type ToyLine } from './toy-file.ts'

export const NAME = 'toy'

type ToyTurn = Extract<ToyLine, { kind: 'turn' }>

/** A toy session behind the agent port. */
export function openToy(directory: string, file: SessionFile): OpenSession {
  const { lines, damage } = readToy(file.path)
  const turns = new Map<string, ToyTurn>()
  const places = new Map<string, number>()
  let head: string | null = null
  let title: string | null = null
  let project: string | null = null
  for (const { line, place } of lines) {
    if (line.kind === 'start') project = line.project
    if (line.kind === 'title') title = line.title
    if (line.kind === 'head') head = line.turn
    if (line.kind !== 'turn' || turns.has(line.id)) continue
    turns.set(line.id, line)
    places.set(line.id, place)
    head = line.id
  }
  if (head !== null && !turns.has(head)) head = null
  const all = [...turns.values()].map((turn) => ({ turn: turnOf(turn) }))
  const find = (id: TurnId): ToyTurn => turns.get(id)!
  const append = (line: ToyLine) => {
    const { inode, size } = file.identity
    return appendStep(NAME, { path: file.path, inode, size, bytes: Buffer.from(toyLine(line)) })
  }
  const toHead = (turn: string | null) => append({ kind: 'head', turn })
  return {
    agent: NAME,
    file,
    summary: {
      agent: NAME,
      id: file.id,
      path: file.path,
      title: title ?? all[0]?.turn.prompt ?? '',
      givenTitle: title,
      project,
      updatedAt: all.at(-1)?.turn.at ?? file.bornAt.toISOString(),
      bornAt: file.bornAt.toISOString(),
      branch: null,
      firstPrompt: all[0]?.turn.prompt ?? '',
      counted: {
        turns: all.length,
        messages: all.length * 2,
        branches: 1,
        head: head as TurnId | null,
        turnIds: all.map(({ turn }) => turn.id),
        forkedFrom: null,
        damaged: damage.length,
      },
    },
    conversation: { turns: all, head: head as TurnId | null, kept: null },
    damage: damage.map((each) => ({ ...each, why: 'not-json' })),
    identity: file.identity,
    reading: { end: file.identity.size, sample: String(file.identity.size) },
    continues: () => false,
    version: '1',
    title,
    isCompacted: false,
    readTurn(id) {
      const turn = find(id)
      const moments = momentsOf(turn)
      return {
        moments,
        messages: 2,
        answers: [{ id: `${id}-answer`, at: turn.at, moments }],
        tokens: noTokens,
        hasAgents: false,
        edits: editsOf(stepsOf(moments)),
      }
    },
    readImages: () => [],
    readModel: () => null,
    factsOf(id) {
      const at = Date.parse(find(id).at)
      return { started: at, ended: at, rows: 1, messages: 2 }
    },
    gitBranchOf: () => null,
    hasCalls: (id) => find(id).edits.length > 0,
    placesOf: (id) => [places.get(id)!],
    versionOf: (id) => ({ key: find(id), stamp: '1' }),
    addedDirectories: () => [],
    turnOfMessage: (id) => (turns.has(id) ? (id as TurnId) : null),
    findRunningTurn: () => null,
    isAnswered: () => true,
    hasRunningAgents: () => false,
    forgottenLines: (gone) => ({
      isGone(line) {
        const { kind, id } = JSON.parse(line.toString('utf8')) as { kind: string; id?: TurnId }
        return kind === 'turn' ? gone.has(id!) : null
      },
      isOfThem: () => false,
    }),
    moves: {
      notInPlace: null,
      planMove: ({ turn }) => ({ kind: 'step', step: toHead(turn) }),
      planMoveToPrompt: () => ({ kind: 'not-movable', why: 'no-row' }),
      planEmpty: () => toHead(null),
      planBranch({ session, turn, title: named }) {
        const to = `${directory}/sessions/${session}.toy`
        const from = `${directory}/sessions/.${session}`
        const kept = lines.filter(({ line }) => line.kind === 'start' || line.kind === 'turn')
        const text = [
          ...kept.map(({ line }) => line),
          { kind: 'title' as const, title: named },
          { kind: 'head' as const, turn },
        ].map(toyLine)
        const moves = [{ from, to }]
        return {
          kind: 'step',
          step: relocateStep(NAME, { kind: 'make', moves, expected: null }, (disk) =>
            createFiles(disk, [{ path: from, chunks: () => [Buffer.from(text.join(''))] }]),
          ),
        }
      },
      planUnbranch(tag) {
        const { inode, size } = file.identity
        const moves = [{ from: file.path, to: `${directory}/sessions/.${tag}` }]
        return relocateStep(NAME, { kind: 'remove', moves, expected: { inode, size } })
      },
      wasContinued: (parent) => all.length > parent.conversation.turns.length,
      planTitle: (named) => append({ kind: 'title', title: named ?? '' }),
    },
  }
}

function turnOf({ id, parent, at, prompt }: ToyTurn): Turn {
  return {
    id: id as TurnId,
    parent: parent as TurnId | null,
    kind: 'prompt',
    prompt,
    at,
    absorbed: [],
    interrupted: false,
    parentMissing: false,
    summarized: false,
  }
}

function momentsOf({ id, at, edits, answer }: ToyTurn): Moment[] {
  const recorded = (text: string | null): Recorded =>
    text === null ? { kind: 'absent' } : { kind: 'bytes', bytes: Buffer.from(text) }
  const steps = edits.map(({ path, before, after }, n): Moment => {
    const step = `${id}-${n}`
    const edit = { step, path, before: recorded(before), after: recorded(after), pieces: [], by: 'agent' as const, at } // prettier-ignore
    return {
      kind: 'step',
      step: { id: step, tool: 'put', kind: 'edit', about: path, at, endedAt: at, outcome: 'ok', edits: [edit], unknownEffect: null, agent: null }, // prettier-ignore
    }
  })
  return [...steps, { kind: 'said', text: answer, at }]
}
