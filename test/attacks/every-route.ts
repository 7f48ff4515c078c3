import { routes, streams } from '#protocol'

export interface Asked {
  readonly method: string
  readonly path: string
}

/** Sign-in routes, which need no token. */
const ENTRANCES = new Set(['/api/launch', '/api/challenges', '/api/sign-in'])

/** Every route, with the ids of a real session filled in, and paths outside the route table. */
export function everyRoute(session: string): Asked[] {
  const ids: Record<string, string> = {
    session,
    turn: '1',
    plan: '0'.repeat(32),
    file: '0',
    entry: '1',
    operation: '1',
    branch: session,
    approval: 'x',
    browser: 'x'.repeat(16),
    run: session,
  }
  const named = Object.values({ ...routes, ...streams }).map(([method, path]) => ({
    method,
    path: path.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? 'x'),
  }))
  const others = ['/openapi.json', '/metrics', '/api/events', '/api/nowhere', '/server.json']
  return [
    ...named.filter(({ path }) => !ENTRANCES.has(path)),
    ...others.map((path) => ({ method: 'GET', path })),
  ]
}
