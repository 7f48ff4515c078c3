/**
 * The rooms of `src/` and who may enter whom. The linter reads this table, so it is the one
 * place where the direction of imports is decided. Imports go down a floor, never sideways or
 * up; a room is entered by its door (`#room`, its index.ts) and never by a path into it.
 */
export const rooms: Record<
  string,
  { mayEnter: readonly string[]; node: 'none' | 'all-but-fs' | 'all' }
> = {
  // floor 0: pure, and the only room that touches files
  timeline: { mayEnter: [], node: 'none' },
  disk: { mayEnter: [], node: 'all' },
  // floor 1
  store: { mayEnter: ['timeline', 'disk'], node: 'all-but-fs' },
  agents: { mayEnter: ['timeline', 'disk', 'store'], node: 'all-but-fs' },
  snapshots: { mayEnter: ['timeline', 'disk', 'store'], node: 'all-but-fs' },
  journal: { mayEnter: ['timeline', 'disk', 'store'], node: 'all-but-fs' },
  // floor 2
  protocol: { mayEnter: ['timeline'], node: 'none' },
  engine: {
    mayEnter: ['timeline', 'disk', 'store', 'agents', 'snapshots', 'journal'],
    node: 'all-but-fs',
  },
  // floor 3
  server: { mayEnter: ['timeline', 'disk', 'protocol', 'engine'], node: 'all-but-fs' },
  // floor 4
  cli: { mayEnter: ['timeline', 'protocol', 'engine', 'server'], node: 'all-but-fs' },
  web: { mayEnter: ['timeline', 'protocol'], node: 'none' },
}
