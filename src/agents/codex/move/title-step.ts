import { nameBytes, writeAll, type Disk } from '#disk'
import { all, one, openForeign, run, transact } from '#store'
import type { PlannedStep, RecordedStep, StepProgress } from '#store'
import { readThreadNames, stateDatabase, type CodexSession } from '../session/index.ts'
import { NAME } from '../steps/index.ts'

/** A thread gets a name: in the agent's index, and in the list that its older versions read. */
interface TitleMove {
  readonly kind: 'title'
  readonly home: string
  readonly thread: string
  /** The agent's index, if it has names and knows the thread. */
  readonly index: string | null
  readonly before: string | null
  readonly after: string | null
  /** The title that it was made with, which counts until it has a name. */
  readonly made: string | null
}

export function planTitle(
  { file, shelf, current }: CodexSession,
  title: string | null,
): PlannedStep {
  return {
    prepare() {
      const index = indexWithNames(shelf.home, file.id)
      const made = current.outline.meta?.branch?.title ?? null
      const names = { before: file.name, after: title, made }
      const step: TitleMove = { kind: 'title', home: shelf.home, thread: file.id, index, ...names }
      if (progressOfTitle(step) === 'neither') return null
      return { agent: NAME, step, bytes: null, end: file.identity.size }
    },
  }
}

export function isTitleMove(step: unknown): step is TitleMove {
  return (step as { kind?: unknown }).kind === 'title'
}

export function progressOfTitle(move: TitleMove): StepProgress {
  const { home, thread, index, before, after, made } = move
  const listed = readThreadNames(home).get(thread) ?? null
  const named = index === null ? listed : nameIn(index, thread)
  if (named === after && (listed ?? after) === after) return 'after'
  if (named === after || listed === after) return 'partly'
  return (named ?? made) === before ? 'before' : 'neither'
}

export function performTitle(disk: Disk, { step }: RecordedStep): void {
  const move = step as TitleMove
  const { home, thread, index, after } = move
  if (progressOfTitle(move) === 'after') return
  if ((readThreadNames(home).get(thread) ?? null) !== after) appendName(disk, move)
  if (index === null) return
  using open = openForeign(index, { writes: true })
  transact(open, () => run(open, 'update threads set name = ? where id = ?', after, thread))
}

/** The newest line about a thread counts; an empty name is none. */
function appendName(disk: Disk, { home, thread, after }: TitleMove): void {
  const line = { id: thread, thread_name: after ?? '', updated_at: new Date().toISOString() }
  const path = nameBytes(`${home}/session_index.jsonl`)
  const isThere = disk.stat(path) !== null
  const file = isThere ? disk.openAppend(path) : disk.create(path, 0o600)
  try {
    writeAll(disk, file, Buffer.from(`${JSON.stringify(line)}\n`))
    disk.sync(file)
  } finally {
    disk.close(file)
  }
}

function indexWithNames(home: string, thread: string): string | null {
  const path = stateDatabase(home)
  if (path === null) return null
  using open = openForeign(path)
  const hasNames = all(open, 'pragma table_info(threads)').some(({ name }) => name === 'name')
  const row = one(open, 'select id from threads where id = ?', thread)
  return hasNames && row !== undefined ? path : null
}

function nameIn(index: string, thread: string): string | null {
  using open = openForeign(index)
  const name = one(open, 'select name from threads where id = ?', thread)?.['name']
  return typeof name === 'string' && name !== '' ? name : null
}
