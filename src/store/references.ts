import { command, Failure, remedy } from '#failure'
import type { ContentId, ProjectPath, TurnId } from '#timeline'
import { all } from './database.ts'
import type { LinkAuthor } from './links.ts'
import type { Store } from './store.ts'
import { contentsInSnapshots } from './snapshot-table.ts'
import { isContentId, readPathBytes } from './value-text.ts'

/** What refers to a content. */
export type ReferencedBy =
  | {
      readonly kind: 'link'
      readonly author: LinkAuthor
      readonly at: number
      /** Whether the ledger's present value of the path is this link. */
      readonly isLatest: boolean
    }
  | { readonly kind: 'cell'; readonly turn: TurnId }
  | { readonly kind: 'operation'; readonly id: number; readonly at: number; readonly tidy: boolean }
  /** The latest move of a path. */
  | { readonly kind: 'move' }
  /** A difference whose author is undecided. */
  | { readonly kind: 'sighting' }
  /** The last scan: of the project, or of a directory outside of it. */
  | { readonly kind: 'snapshot'; readonly outside: string | null }
  | { readonly kind: 'fact'; readonly session: string }

export interface Reference {
  readonly content: ContentId
  /** Null if the record names no path. */
  readonly path: ProjectPath | null
  readonly by: ReferencedBy
}

/**
 * How each table refers to contents. A table missing here stops every deletion: contents that only
 * it refers to would look like garbage.
 */
const tables: Record<string, ((store: Store) => Iterable<Reference>) | null> = {
  content: null,
  ledger: null,
  left_out: null,
  observation: null,
  observed: null,
  shell_step: null,
  git_move: null,
  operation_path: null, // with its operation
  link: referencesOfLinks,
  cell: referencesOfCells,
  operation: namedByOperations,
  move: namedByMoves,
  sighting: namedBySightings,
  directory: namedBySnapshot,
  session_fact: namedByFacts,
}

/** Every reference to a content in the store. */
export function* listReferences(store: Store): Iterable<Reference> {
  const there = all(
    store.database,
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite_%'",
  ).map((row) => String(row['name']))
  for (const name of there) {
    const list = tables[name]
    if (list === undefined)
      throw new Failure(
        'store-newer',
        `Retake does not know what \`${name}\` in the store needs.`,
        {
          hint: 'Update Retake. Nothing was deleted.',
        },
      )
    if (list !== null) yield* list(store)
  }
}

/** References by content. Unreferenced contents are not in the map. */
export function referencedBy(store: Store): Map<ContentId, Reference[]> {
  return Map.groupBy(listReferences(store), ({ content }) => content)
}

function* referencesOfLinks({ database }: Store): Iterable<Reference> {
  const newest = new Set(
    all(database, 'select max(seq) as seq from link group by path').map((row) => row['seq']),
  )
  for (const row of all(database, 'select * from link')) {
    const by: ReferencedBy = {
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

function* referencesOfCells({ database }: Store): Iterable<Reference> {
  for (const row of all(database, 'select * from cell')) {
    const by: ReferencedBy = { kind: 'cell', turn: String(row['turn']) as TurnId }
    yield* inTexts([row['cell']], readPathBytes(row['path']), by)
  }
}

function* namedByOperations({ database }: Store): Iterable<Reference> {
  const paths = Map.groupBy(all(database, 'select * from operation_path'), (row) =>
    Number(row['operation']),
  )
  for (const row of all(database, 'select id, at, tidy, details from operation')) {
    const id = Number(row['id'])
    const by: ReferencedBy = {
      kind: 'operation',
      id,
      at: Number(row['at']),
      tidy: row['tidy'] === 1,
    }
    for (const each of paths.get(id) ?? []) {
      const late = each['late'] === null ? [] : (parse(String(each['late'])) as string[])
      const texts = [each['pre'], each['post'], each['found'], ...late]
      yield* inTexts(texts, readPathBytes(each['path']), by)
    }
    yield* inTexts([row['details']], null, by)
  }
}

function* namedByMoves({ database }: Store): Iterable<Reference> {
  for (const row of all(database, 'select * from move'))
    yield* inTexts([row['move']], readPathBytes(row['path']), { kind: 'move' })
}

function* namedBySightings({ database }: Store): Iterable<Reference> {
  for (const row of all(database, 'select * from sighting'))
    yield* inTexts([row['before'], row['after']], readPathBytes(row['path']), { kind: 'sighting' })
}

function* namedBySnapshot(store: Store): Iterable<Reference> {
  for (const { path, content, outside } of contentsInSnapshots(store))
    yield {
      content: content as ContentId,
      path: path as ProjectPath,
      by: { kind: 'snapshot', outside },
    }
}

function* namedByFacts({ database }: Store): Iterable<Reference> {
  for (const row of all(database, 'select * from session_fact'))
    yield* inTexts([row['fact']], null, { kind: 'fact', session: String(row['session']) })
}

function* inTexts(
  texts: readonly unknown[],
  path: ProjectPath | null,
  by: ReferencedBy,
): Iterable<Reference> {
  for (const text of texts)
    if (typeof text === 'string')
      for (const content of contentsIn(parse(text))) yield { content, path, by }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    // An unreadable record may have referred to any content.
    throw new Failure('store-damaged', 'A record in the store cannot be read.', {
      hint: remedy`Nothing was deleted. ${command('check')}.`,
      cause,
    })
  }
}

/** The contents that a record refers to: every file value in it, at any depth. */
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
