/**
 * The rooms of `src/` and the rooms that each may import from. The linter reads this table, so it
 * alone decides the direction of imports. A room imports only from rooms listed before it, and only
 * through their entry (`#room`, its index.ts), never by a path into them.
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
  protocol: { mayEnter: ['timeline'], node: 'none' },
  // floor 2
  engine: {
    mayEnter: ['timeline', 'disk', 'store', 'agents', 'snapshots', 'journal', 'protocol'],
    node: 'all-but-fs',
  },
  // floor 3
  server: { mayEnter: ['timeline', 'disk', 'protocol', 'engine'], node: 'all-but-fs' },
  // floor 4
  cli: { mayEnter: ['timeline', 'protocol', 'engine', 'server'], node: 'all-but-fs' },
  web: { mayEnter: ['timeline', 'protocol'], node: 'none' },
}

/**
 * Rooms inside a room, lowest first, and the rooms that each may import from. Each has its own
 * entry, its index.ts, which its neighbours import as `../room/index.ts`.
 */
export const innerRooms: Record<string, Record<string, readonly string[]>> = {
  timeline: {
    data: [],
    text: ['data'],
    cell: ['data', 'text'],
    plan: ['data', 'text', 'cell'],
    report: ['data', 'text', 'cell', 'plan'],
  },
  'agents/claude-code': {
    // a transcript as rows, then as turns, then what each turn did
    rows: [],
    chain: ['rows'],
    steps: ['rows'],
    session: ['rows', 'chain', 'steps'],
    move: ['rows', 'chain', 'steps', 'session'],
    trial: ['rows', 'steps', 'session', 'move'],
    hooks: ['steps'],
    run: ['steps'],
    // all of it behind the port
    adapter: ['rows', 'chain', 'steps', 'session', 'move', 'trial', 'hooks', 'run'],
  },
  'agents/codex': {
    // a rollout as an outline, then rollouts as a thread, then what each turn did
    rows: [],
    chain: ['rows'],
    steps: ['rows'],
    session: ['rows', 'chain', 'steps'],
    move: ['rows', 'chain', 'steps', 'session'],
    // which sessions are open, what Codex reports, and turns that Retake runs
    live: ['rows'],
    hooks: [],
    run: [],
    // all of it behind the port
    adapter: ['rows', 'chain', 'steps', 'session', 'move', 'live', 'hooks', 'run'],
  },
  engine: {
    // the machine, its settings and copies of transcripts
    ground: [],
    hooks: ['ground'],
    // agents that run under `retake claude`
    supervise: ['ground'],
    // one project: its root, its store, its files as they are now
    project: ['ground'],
    // who changed what
    witness: ['ground', 'project'],
    // sessions as people see them
    session: ['ground', 'hooks', 'supervise', 'project', 'witness'],
    plan: ['ground', 'hooks', 'supervise', 'project', 'witness', 'session'],
    apply: ['ground', 'hooks', 'supervise', 'project', 'session', 'plan'],
    history: ['ground', 'project', 'witness', 'session', 'plan', 'apply'],
    storage: ['ground', 'project', 'witness', 'session', 'plan'],
    // what a server does between requests
    watch: ['ground', 'hooks', 'project', 'witness', 'session', 'apply', 'history', 'storage'],
    run: ['ground', 'project', 'witness', 'session', 'apply'],
    setup: ['ground', 'hooks', 'project', 'session', 'storage'],
  },
  server: {
    http: [],
    access: ['http'],
    live: ['http', 'access'],
    // request schemas, and how requests plan and apply
    requests: ['http', 'access', 'live'],
    routes: ['access', 'requests'],
    mcp: [],
    // all of it in one process
    app: ['http', 'access', 'live', 'requests', 'routes'],
  },
}
