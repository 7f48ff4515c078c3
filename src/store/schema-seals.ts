import type { Sealed } from './seals.ts'

/** Directory rows are written by the thousand, so their checksum is written along with them. */
export const directories: Sealed = {
  table: 'directory',
  key: ['path'],
  columns: ['path', 'entries'],
}

/**
 * The tables of a project's store whose records carry a checksum. `content` is not among them: its
 * columns are verified against its bytes. To cover a column that a later migration adds, remove the
 * table's checksum there and add it again.
 */
export const sealed: readonly Sealed[] = [
  {
    table: 'link',
    key: ['seq'],
    columns: [
      'seq', 'path', 'from_path', 'before', 'after', 'author_kind', 'author', 'evidence',
      'git_head', 'at',
    ],
  },
  { table: 'ledger', key: ['rowid'], columns: ['seq'] },
  { table: 'cell', key: ['id'], columns: ['id', 'turn', 'path', 'cell', 'version'] },
  {
    table: 'operation',
    key: ['id'],
    columns: [
      'id', 'tag', 'verb', 'session', 'inverts', 'details', 'at', 'state', 'tidy', 'because',
      'steps', 'append', 'append_bytes', 'pruned',
    ],
  },
  {
    table: 'operation_path',
    key: ['operation', 'n'],
    columns: [
      'operation', 'n', 'path', 'pre', 'post', 'choice', 'anchor', 'outcome', 'found', 'late',
    ],
  },
  { table: 'move', key: ['path'], columns: ['path', 'move'] },
  { table: 'session_fact', key: ['session', 'name'], columns: ['session', 'name', 'fact'] },
  directories,
  { table: 'left_out', key: ['path'], columns: ['path', 'why'] },
  { table: 'observation', key: ['id'], columns: ['id', 'generation', 'tree', 'rules', 'at'] },
  { table: 'observed', key: ['at'], columns: ['at', 'began', 'git'] },
  { table: 'git_move', key: ['id'], columns: ['id', 'since', 'seen', 'at', 'move'] },
  {
    table: 'sighting',
    key: ['id'],
    columns: [
      'id', 'path', 'before', 'after', 'since', 'began', 'at', 'changed_at', 'born_at', 'directory',
    ],
  },
  {
    table: 'shell_step',
    key: ['tool'],
    columns: ['tool', 'session', 'turn', 'began', 'ended'],
  },
] // prettier-ignore
