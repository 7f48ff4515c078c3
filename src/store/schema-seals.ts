import type { Sealed } from './seals.ts'

/** What the last observation saw: written by the thousand, so with its sum at once. */
export const directories: Sealed = {
  table: 'directory',
  key: ['path'],
  columns: ['path', 'entries'],
}

/**
 * The tables of a project's store whose records carry a sum. `content` is not among them: what it
 * says is checked against its bytes. A column that a later migration adds is covered from there on
 * by taking the table out of here and putting it back in.
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
