/**
 * One more run of the real agent on a session: what it resumes, and what further prompts do.
 *
 * A recording is named by everything the agent reads: transcript, prompts, answers and files,
 * without the ids and times that differ in every run. If Retake writes a different row, no
 * recording matches and the agent runs. `recorded-play.ts` says when it always runs.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { appendFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { readTree, type Tree, writeTree } from '../house/tree.ts'
import { findWorkingDirectory, type ReceivedRequest, type ScriptedModel } from '../model/index.ts'
import type { Scene } from '../scene.ts'
import { describeRest, newIn, readAround, writeAround } from './recorded-play.ts'
import {
  fold,
  fromScene,
  isRecording,
  nameRecording,
  type PackedTree,
  packTree,
  readRecording,
  revive,
  type Row,
  toScene,
  unfold,
  writeRecording,
} from './recordings.ts'

export interface AgentRun<T> {
  readonly s: Scene
  readonly model: ScriptedModel
  /** The session to resume; null if the run starts one. */
  readonly session: string | null
  /** The prompts and arguments. */
  readonly asked: unknown
  /** The run saves nothing, whatever files exist. */
  readonly leavesNothing?: boolean
  readonly run: () => Promise<T>
}

interface Recording {
  readonly result: unknown
  readonly requests: readonly ReceivedRequest[]
  /** Rows that the run appended, by transcript path. */
  readonly rows: Readonly<Record<string, readonly Row[]>>
  readonly changed: PackedTree
  readonly removed: readonly string[]
  /** New checkpoints and files beside the project, below the scene's root. */
  readonly around?: PackedTree
}

/** Restores what the agent did in the same state, or runs it. */
export async function recallOrRun<T>(asked: AgentRun<T>): Promise<T> {
  const state = await readState(asked)
  const recording = readRecording<Recording>(state?.name ?? null)
  if (state === null || (recording === null && !isRecording())) return asked.run()
  return recording === null ? record(asked, state) : recall<T>(asked, state, recording)
}

interface State {
  readonly name: string
  readonly ids: Ids
  readonly transcripts: ReadonlyMap<string, string>
  readonly tree: Tree
}

/** Null if a recording cannot capture everything that the run depends on or does. */
async function readState(asked: AgentRun<unknown>): Promise<State | null> {
  const { s, model, session, leavesNothing = false } = asked
  const transcripts = await readTranscripts(s)
  const resumed = [...transcripts].filter(([path]) => path.endsWith(`/${session}.jsonl`))
  if (session !== null && resumed.length !== 1) return null
  const settings = await readFile(join(s.claudeDir, 'settings.json'), 'utf8').catch(() => '')
  const tree = leavesNothing ? {} : await readTree(s.project)
  // A recording cannot capture what hooks do.
  const hasSettings = Object.keys(tree).some((name) => name.startsWith('.claude/settings'))
  if (!leavesNothing && (settings.includes('hooks') || hasSettings)) return null
  const ids = new Ids()
  const head = await readFile(join(s.project, '.git/HEAD'), 'utf8').catch(() => '')
  const name = nameRecording({
    transcript: resumed.map(([, text]) => withoutTimes(ids.name(fromScene(s, text)))),
    asked: ids.name(fromScene(s, JSON.stringify(asked.asked))),
    ...(leavesNothing
      ? {}
      : {
          settings,
          head,
          script: model.script,
          files: fromScene(s, JSON.stringify(packTree(tree))),
        }),
  })
  return name === null ? null : { name, ids, transcripts, tree }
}

async function record<T>(asked: AgentRun<T>, state: State): Promise<T> {
  const { s, model, leavesNothing = false, run } = asked
  const { name, ids, transcripts, tree } = state
  const rest = await describeRest(s)
  const aroundBefore = await readAround(s)
  const heard = model.log.length
  const begun = Date.now()
  const result = await run()
  const after = leavesNothing ? new Map<string, string>() : await readTranscripts(s)
  const now = leavesNothing ? {} : await readTree(s.project)
  const grown = [...after].every(([path, text]) => text.startsWith(transcripts.get(path) ?? ''))
  if ((await describeRest(s)) !== rest || !grown) return result
  const away = (text: string): string => ids.name(fromScene(s, text))
  const changed = Object.entries(now).filter(([each, entry]) => !isSame(entry, tree[each]))
  const rows: Record<string, Row[]> = {}
  for (const [path, text] of after) {
    const added = text
      .slice(transcripts.get(path)?.length ?? 0)
      .split('\n')
      .filter(Boolean)
    if (added.length > 0) rows[away(path)] = added.map((row) => fold(away(namedTimes(row, begun))))
  }
  const around = leavesNothing ? {} : newIn(await readAround(s), aroundBefore)
  const recording: Recording = {
    rows,
    ...(JSON.parse(
      away(
        JSON.stringify({
          result,
          requests: model.log.slice(heard).map(essence),
          changed: packTree(Object.fromEntries(changed)),
          removed: Object.keys(tree).filter((each) => now[each] === undefined),
          ...(Object.keys(around).length === 0 ? {} : { around: packTree(around) }),
        }),
      ),
    ) as Omit<Recording, 'rows'>),
  }
  await writeRecording(name, recording)
  return result
}

async function recall<T>(
  { s, model }: AgentRun<T>,
  { ids, tree }: State,
  { rows, ...recording }: Recording,
): Promise<T> {
  const here = (text: string): string => toScene(s, ids.restore(text))
  const begun = Date.now()
  const {
    result,
    requests,
    changed,
    removed,
    around = {},
  } = JSON.parse(here(JSON.stringify(recording))) as Omit<Recording, 'rows'>
  for (const each of [...removed, ...Object.keys(changed).filter((each) => each in tree)])
    await rm(join(s.project, each), { recursive: true, force: true })
  const revived = Object.entries(changed).map(([each, entry]) => [each, revive(entry, String)])
  await writeTree(s.project, Object.fromEntries(revived) as Tree)
  await writeAround(s, around, String)
  const texts = Object.entries(rows).map(
    ([path, added]) => [path, added.map((row) => `${unfold(row)}\n`).join('')] as const,
  )
  const { moment, ended } = spread(texts.map(([, text]) => text).join(''), begun)
  // The next command must not run before the rows' own times.
  while (Date.now() < ended) await setTimeout(1)
  for (const [path, text] of texts) {
    const to = join(s.claudeDir, 'projects', here(path))
    await mkdir(dirname(to), { recursive: true })
    await appendFile(to, here(restoredTimes(text, moment)), { mode: 0o600 })
  }
  for (const request of requests) model.hear(request)
  return result as T
}

/** Transcripts by path below the agent's projects. */
async function readTranscripts({ claudeDir }: Scene): Promise<Map<string, string>> {
  const projects = join(claudeDir, 'projects')
  const names = await readdir(projects, { recursive: true }).catch(() => [])
  const found = names.filter((name) => /\.jsonl?$/.test(name)).toSorted()
  const read = async (name: string) => [name, await readFile(join(projects, name), 'utf8')] as const
  return new Map(await Promise.all(found.map(read)))
}

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

/** The part of a request that tests read, without the agent's reminders and tools. */
function essence({
  kind,
  path,
  sessionId,
  agentId,
  prompt,
  body,
}: ReceivedRequest): ReceivedRequest {
  const said = (body.messages ?? []).filter(({ role }) => role !== 'system')
  const messages = said.map(({ role, content }) => ({
    role,
    content:
      typeof content === 'string'
        ? content
        : content.filter((each) => !(each.type === 'text' && REMINDER.test(each.text))),
  }))
  return {
    kind,
    path,
    prompt,
    // Paths in descriptions are relative to it.
    body: { messages, system: `working directory: ${findWorkingDirectory(body)}` },
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(agentId === undefined ? {} : { agentId }),
  }
}

const REMINDER = /^<system-reminder>(?:(?!<system-reminder>)[^])*<\/system-reminder>\s*$/

const ISO = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const EPOCH = /(?<=[:,[])1[78]\d{11}(?:\.\d+)?(?=[,}\]])/g

/**
 * Replaces each time by whether it is later than those before it, which may decide what is resumed.
 */
function withoutTimes(text: string): string {
  let latest = ''
  return (
    text
      .replaceAll(ISO, (time) => {
        const isLater = time >= latest
        if (isLater) latest = time
        return isLater ? '<later>' : '<earlier>'
      })
      .replaceAll(EPOCH, '0')
      .replaceAll(/(?<="\w*(?:[Dd]uration\w*|Ms)":)\d+/g, '0')
      // Digests of requests, which contain ids.
      .replaceAll(/\b[0-9a-f]{64}\b/g, '<digest>')
  )
}

const namedTimes = (row: string, begun: number): string =>
  row
    .replaceAll(ISO, (time) => `<iso ${Date.parse(time) - begun}>`)
    .replaceAll(EPOCH, (time) => `"<ms ${Math.round(Number(time)) - begun}>"`)

/** Times of a run that takes one millisecond between moments. */
function spread(text: string, begun: number): { moment: Moment; ended: number } {
  const named = [...text.matchAll(/<(?:iso|ms) (-?\d+)>/g)].map(([, time]) => Number(time))
  const order = [...new Set(named)].filter((time) => time >= 0).toSorted((a, b) => a - b)
  return {
    moment: (time) => begun + (Number(time) < 0 ? Number(time) : order.indexOf(Number(time))),
    ended: begun + order.length,
  }
}

type Moment = (time: string) => number

const restoredTimes = (text: string, moment: Moment): string =>
  text
    .replaceAll(/<iso (-?\d+)>/g, (_, time: string) => new Date(moment(time)).toISOString())
    .replaceAll(/"<ms (-?\d+)>"/g, (_, time: string) => String(moment(time)))

/** Includes the agent's file copies, which are named by absolute paths. */
const ID =
  /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b(?:msg|toolu|req)_\w+|\b[0-9a-f]{16}(?=@v\d)/g

const KINDS: Readonly<Record<number, string>> = { 36: 'uuid', 16: 'copy' }
const NEW: Readonly<Record<string, () => string>> = {
  uuid: randomUUID,
  copy: () => randomBytes(8).toString('hex'),
}

/** Names ids by order of appearance, so that sessions that differ only in ids are equal. */
class Ids {
  readonly #names = new Map<string, string>()
  readonly #ids = new Map<string, string>()

  name(text: string): string {
    return text.replaceAll(ID, (id) => {
      const known = this.#names.get(id)
      if (known !== undefined) return known
      const kind = id.includes('_') ? id.slice(0, id.indexOf('_')) : KINDS[id.length]!
      return this.#add(id, `<${kind} ${this.#names.size}>`)
    })
  }

  restore(text: string): string {
    return text.replaceAll(/<(uuid|copy|msg|toolu|req) \d+>/g, (name, kind: string) => {
      const known = this.#ids.get(name)
      if (known !== undefined) return known
      const id = NEW[kind]?.() ?? `${kind}_${randomBytes(12).toString('hex')}`
      this.#add(id, name)
      return id
    })
  }

  #add(id: string, name: string): string {
    this.#names.set(id, name)
    this.#ids.set(name, id)
    return name
  }
}
