import { sealed } from './schema-seals.ts'
import { sealingOf } from './seals.ts'

/** The application id of a project's store. */
export const APPLICATION_ID = 0x52_54_4b_32

/**
 * The migrations in order; the format version is their number. Never change a released one: add a
 * new one, and a test that opens the fixture of the format before it. Comments in the SQL are part
 * of the stored schema, which `check` compares, so they must not change either.
 *
 * Paths are BLOBs: as TEXT, a name that is not UTF-8 would come back as another name. A value is
 * JSON text, which escapes lone surrogates.
 */
export const migrations: readonly string[] = [
  `
  create table content (
    id text primary key,              -- git's blob id
    size integer not null,
    sha256 blob not null,             -- of the raw bytes: a second content with the same id is refused
    encoding text not null check (encoding in ('raw', 'zstd')),
    crc integer not null,             -- of the bytes as they are kept: some damage unpacks unharmed
    bytes blob,                       -- null: in the file large/ID
    aside integer                     -- when gc put it aside, in ms; null: it is kept
  ) strict;
  create index content_aside on content (aside) where aside is not null;

  create table link (
    seq integer primary key,
    path blob not null,
    from_path blob,                   -- a rename: where it was before
    before text not null,
    after text not null,
    author_kind text not null,
    author text,                      -- the turn's or operation's id
    evidence text not null,
    git_head text,
    at integer not null
  ) strict;
  create index link_by_path on link (path, seq);
  create index link_by_author on link (author_kind, author, seq);

  create table ledger (seq integer not null) strict; -- one row: the highest number given out
  insert into ledger values (0);

  create table cell (
    id text primary key,
    turn text not null,
    path blob not null,
    cell text not null,
    version integer not null
  ) strict, without rowid;
  create index cell_by_turn on cell (turn);

  create table operation (
    id integer primary key autoincrement,
    tag text not null unique,
    verb text not null,
    session text,
    inverts integer references operation (id),
    details text not null,
    at integer not null,
    state text not null check (state in
      ('intent', 'staged', 'applied', 'committed', 'rolling-back', 'rolled-back')),
    tidy integer not null default 0 check (tidy in (0, 1)),
    because text,
    steps text not null,
    append text,
    append_bytes blob,
    pruned integer                    -- when gc took contents that it needs: no undo from then on
  ) strict;
  create index operation_unfinished on operation (id) where tidy = 0;
  create index operation_by_session on operation (session, id);

  create table operation_path (
    operation integer not null references operation (id),
    n integer not null,
    path blob not null,
    pre text not null,
    post text not null,
    choice text,
    anchor blob not null,
    outcome text not null default 'planned' check (outcome in ('planned', 'applied', 'conflict')),
    found text,                       -- what somebody else put there meanwhile
    late text,                        -- what was saved into the old file after it was moved aside
    primary key (operation, n)
  ) strict, without rowid;
  create index operation_path_by_path on operation_path (path, operation);

  create table move (path blob primary key, move text not null) strict, without rowid;

  create table session_fact (
    session text not null,
    name text not null,
    fact text not null,
    primary key (session, name)
  ) strict, without rowid;

  -- What the last observation of the project's files saw: a packed row per directory.
  create table directory (path blob primary key, entries blob not null) strict;
  create table left_out (path blob primary key, why text not null) strict;
  create table observation (
    id integer primary key check (id = 1),
    generation integer not null,      -- another process's observation shows by this
    tree text not null,
    rules text not null,              -- the ignore files outside the project, as they were
    at integer not null
  ) strict;

  create table observed (             -- when the project was looked at, in ms
    at integer primary key,           -- the look was over
    began integer not null,
    git text                          -- where git stood then
  ) strict;

  create table sighting (             -- a difference between two looks, whose author is not decided
    id integer primary key,
    path blob not null,
    before text not null,
    after text not null,
    since integer not null,           -- the look before, in ms
    began integer not null,           -- this look, from and to
    at integer not null,
    changed_at real,                  -- when the file, or the directory it went from, last changed
    born_at real,                     -- when the file came into being
    directory text                    -- a directory itself came or went
  ) strict;

  create table git_move (             -- what git did to its HEAD or stash between two looks
    id integer primary key,
    since integer not null,           -- those two looks, in ms
    seen integer not null,
    at integer not null,              -- by git's clock, in ms, cut to the second
    move text not null
  ) strict;

  create table shell_step (           -- when a step that may write unseen really ran, in ms
    tool text primary key,
    session text not null,
    turn text,                        -- null until the agent has written it down
    began real not null,
    ended real not null
  ) strict, without rowid;
  ` + sealingOf(sealed),
]
