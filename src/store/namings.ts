import { command, Failure, remedy } from '#failure'
import type { ContentId, ProjectPath, TurnId } from '#timeline'
import { all } from './database.ts'
import type { LinkAuthor } from './links.ts'
import type { Store } from './store.ts'
import { contentsInSnapshots } from './snapshot-table.ts'
import { isContentId, readPathBytes } from './value-text.ts'

/** Who needs a content. */
export type NamedBy =
  | {
      readonly kind: 'link'
      readonly author: LinkAuthor
      readonly at: number
      /** What the ledger believes to stand at the path. */
      readonly isLatest: boolean
    }
  | { readonly kind: 'cell'; readonly turn: TurnId }
  | { readonly kind: 'operation'; readonly id: number; readonly at: number; readonly tidy: boolean }
  /** What the newest operation on a path did there. */
  | { readonly kind: 'move' }
  /** A difference whose author is not decided. */
  | { readonly kind: 'sighting' }
  /** What stood there at the last look: at the project, or at a directory outside of it. */
  | { readonly kind: 'snapshot'; readonly outside: string | null }
  | { readonly kind: 'fact'; readonly session: string }

export interface Naming {
  readonly content: ContentId
  /** Null where the record does not say of which path. */
  readonly path: ProjectPath | null
  readonly by: NamedBy
}

/**
 * How each table names contents. A table that is not here stops everything that deletes: contents
 * that only it names would be taken for garbage.
 */
const tables: Record<string, ((store: Store) => Iterable<Naming>) | null> = {
  content: null,
  ledger: null,
  left_out: null,
  observation: null,
  observed: null,
  shell_step: null,
  git_move: null,
  operation_path: null, // with its operation
  link: namedByLinks,
  cell: namedByCells,
  operation: namedByOperations,
  move: namedByMoves,
  sighting: namedBySightings,
  directory: namedBySnapshot,
  session_fact: namedByFacts,
}

/** Every place of the store that names a content. */
export function* listNamings(store: Store): Iterable<Naming> {
  const there = all(
    store.database,
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
  ).map((row) => String(row['name']))
  for (const name of there) {
    const list = tables[name]
    if (list === undefined)
      throw new Failure('store-newer', `What \`${name}\` in the store needs is not known.`, {
        hint: 'Update Retake. Nothing was deleted.',
      })
    if (list !== null) yield* list(store)
  }
}

/** Who names each of the contents; one that nobody names is not in the map. */
export function namedBy(store: Store): Map<ContentId, Naming[]> {
  return Map.groupBy(listNamings(store), ({ content }) => content)
}

function* namedByLinks({ database }: Store): Iterable<Naming> {
  const newest = new Set(
    all(database, 'select max(seq) as seq from link group by path').map((row) => row['seq']),
  )
  for (const row of all(database, 'select * from link')) {
    const by: NamedBy = {
      kind: 'link',
      author: {
        kind: row['author_kind'] as LinkAuthor['kind'],
        id: row['author'] as string | null,
      },
      at: Number(row['at']),
      isLatest: newest.has(row['seq']),
    }
    yield* inTexts([row['before'], row['after']], readPathBytes(row['path']), by)
  }
}

function* namedByCells({ database }: Store): Iterable<Naming> {
  for (const row of all(database, 'select * from cell')) {
    const by: NamedBy = { kind: 'cell', turn: String(row['turn']) as TurnId }
    yield* inTexts([row['cell']], readPathBytes(row['path']), by)
  }
}

function* namedByOperations({ database }: Store): Iterable<Naming> {
  const paths = Map.groupBy(all(database, 'select * from operation_path'), (row) =>
    Number(row['operation']),
  )
  for (const row of all(database, 'select id, at, tidy, details from operation')) {
    const id = Number(row['id'])
    const by: NamedBy = { kind: 'operation', id, at: Number(row['at']), tidy: row['tidy'] === 1 }
    for (const each of paths.get(id) ?? []) {
      const late = each['late'] === null ? [] : (parse(String(each['late'])) as string[])
      const texts = [each['pre'], each['post'], each['found'], ...late]
      yield* inTexts(texts, readPathBytes(each['path']), by)
    }
    yield* inTexts([row['details']], null, by)
  }
}

function* namedByMoves({ database }: Store): Iterable<Naming> {
  for (const row of all(database, 'select * from move'))
    yield* inTexts([row['move']], readPathBytes(row['path']), { kind: 'move' })
}

function* namedBySightings({ database }: Store): Iterable<Naming> {
  for (const row of all(database, 'select * from sighting'))
    yield* inTexts([row['before'], row['after']], readPathBytes(row['path']), { kind: 'sighting' })
}

function* namedBySnapshot(store: Store): Iterable<Naming> {
  for (const { path, content, outside } of contentsInSnapshots(store))
    yield {
      content: content as ContentId,
      path: path as ProjectPath,
      by: { kind: 'snapshot', outside },
    }
}

function* namedByFacts({ database }: Store): Iterable<Naming> {
  for (const row of all(database, 'select * from session_fact'))
    yield* inTexts([row['fact']], null, { kind: 'fact', session: String(row['session']) })
}

function* inTexts(
  texts: readonly unknown[],
  path: ProjectPath | null,
  by: NamedBy,
): Iterable<Naming> {
  for (const text of texts)
    if (typeof text === 'string')
      for (const content of contentsIn(parse(text))) yield { content, path, by }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    // What cannot be read may have named anything.
    throw new Failure('store-damaged', 'A record in the store cannot be read.', {
      hint: remedy`Nothing was deleted. ${command('check')}.`,
      cause,
    })
  }
}

/** The contents that a record names: every file value in it, however deep. */
export function contentsIn(record: unknown): ContentId[] {
  const found: ContentId[] = []
  const open = [record]
  while (open.length > 0) {
    const at = open.pop()
    if (typeof at !== 'object' || at === null) continue
    const { kind, content } = at as Record<string, unknown>
    if (kind === 'file' && isContentId(content)) found.push(content)
    open.push(...Object.values(at))
  }
  return found
}
