import type { ProjectPath, Value } from '#timeline'
import { all, one, run, type Row } from './database.ts'
import { write, type Store } from './store.ts'
import { pathBytes, readPathBytes, readValueText, valueText } from './value-text.ts'

/** The author of a change: a turn or an operation with its id, or a kind without an id. */
export interface LinkAuthor {
  readonly kind: 'operation' | 'turn' | 'shared' | 'outside' | 'unsure' | 'git'
  readonly id: string | null
}

/** One observed change of one path, not yet numbered. */
export interface NewLink {
  readonly path: ProjectPath
  /** The old path, if the change is a rename. */
  readonly from: ProjectPath | null
  readonly before: Value
  readonly after: Value
  readonly author: LinkAuthor
  /** What the author was inferred from. */
  readonly evidence: string
  readonly gitHead: string | null
  readonly at: number
}

export interface StoredLink extends NewLink {
  readonly seq: number
}

/** Appends to the ledger. Entries never change. */
export function appendLinks(store: Store, links: readonly NewLink[]): number[] {
  return write(store, () => links.map((link) => appendLink(store, link)))
}

function appendLink(store: Store, link: NewLink): number {
  const seq = advanceLedger(store, ledgerSeq(store) + 1)
  run(
    store.database,
    `insert into link
       (seq, path, from_path, before, after, author_kind, author, evidence, git_head, at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    seq,
    pathBytes(link.path),
    link.from === null ? null : pathBytes(link.from),
    valueText(link.before),
    valueText(link.after),
    link.author.kind,
    link.author.id,
    link.evidence,
    link.gitHead,
    link.at,
  )
  return seq
}

/** The links of a path, oldest first. */
export function linksOfPath(store: Store, path: ProjectPath): StoredLink[] {
  return all(store.database, 'select * from link where path = ? order by seq', pathBytes(path)).map(
    toLink,
  )
}

/** Also includes renames that moved a file away from this path. */
export function linksTouching(store: Store, path: ProjectPath): StoredLink[] {
  const bytes = pathBytes(path)
  return all(
    store.database,
    'select * from link where path = ? or from_path = ? order by seq',
    bytes,
    bytes,
  ).map(toLink)
}

/** All links of one author, oldest first. */
export function linksOfAuthor(store: Store, author: LinkAuthor): StoredLink[] {
  return all(
    store.database,
    'select * from link where author_kind = ? and author is ? order by seq',
    author.kind,
    author.id,
  ).map(toLink)
}

/** Links that a reader has not seen yet. */
export function linksSince(store: Store, seq: number): StoredLink[] {
  return all(store.database, 'select * from link where seq > ? order by seq', seq).map(toLink)
}

/** The newest link of each path, which holds its present value according to the ledger. */
export function latestLinks(store: Store): StoredLink[] {
  return all(
    store.database,
    'select * from link where seq in (select max(seq) from link group by path) order by seq',
  ).map(toLink)
}

/** Every path that a link names. */
export function linkedPaths(store: Store): ProjectPath[] {
  const rows = all(
    store.database,
    'select path from link union select from_path from link where from_path is not null',
  )
  return rows.map((row) => readPathBytes(row['path']))
}

/** The highest number assigned, to links and to moves of cells; initially 0. */
export function ledgerSeq(store: Store): number {
  return Number(one(store.database, 'select seq from ledger')!['seq'])
}

/** Reserves numbers up to this one. Numbers define the order, never a clock. */
export function advanceLedger(store: Store, seq: number): number {
  write(store, () => run(store.database, 'update ledger set seq = max(seq, ?)', seq))
  return seq
}

function toLink(row: Row): StoredLink {
  return {
    seq: Number(row['seq']),
    path: readPathBytes(row['path']),
    from: row['from_path'] === null ? null : readPathBytes(row['from_path']),
    before: readValueText(row['before']),
    after: readValueText(row['after']),
    author: { kind: row['author_kind'] as LinkAuthor['kind'], id: row['author'] as string | null },
    evidence: String(row['evidence']),
    gitHead: row['git_head'] as string | null,
    at: Number(row['at']),
  }
}
