import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { AppFrame } from './frame/app-frame.tsx'
import { Home } from './frame/home.tsx'
import { NewSession } from './frame/new-session.tsx'
import { SessionPage } from './frame/session-page.tsx'

const rootRoute = createRootRoute({ component: AppFrame })
const homeRoute = createRoute({ getParentRoute: () => rootRoute, path: '/', component: Home })
const sessionRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/s/$session',
  component: SessionPage,
  validateSearch: (search: Record<string, unknown>): { turn?: string } =>
    typeof search['turn'] === 'string' ? { turn: search['turn'] } : {},
})
const newRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/new',
  component: NewSession,
  validateSearch: (search): { project?: string } => texts(search, ['project']),
})

// Views load on demand, so that the first screen appears sooner.
const operationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operations',
  component: lazyRouteComponent(() => import('./operations/operations-page.tsx'), 'OperationsPage'),
  validateSearch: (search): { session?: string; operation?: string } =>
    texts(search, ['session', 'operation']),
})

const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/compare',
  component: lazyRouteComponent(() => import('./compare/compare-page.tsx'), 'ComparePage'),
  validateSearch: (search): { session?: string; a?: string; b?: string } =>
    texts(search, ['session', 'a', 'b']),
})

const graphRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/graph',
  component: lazyRouteComponent(() => import('./graph/graph-page.tsx'), 'GraphPage'),
  validateSearch: (search): { session?: string } => texts(search, ['session']),
})

const checkpointsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/checkpoints',
  component: lazyRouteComponent(
    () => import('./checkpoints/checkpoints-page.tsx'),
    'CheckpointsPage',
  ),
  validateSearch: (search): { session?: string; name?: string } =>
    texts(search, ['session', 'name']),
})

const stashRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/stash',
  component: lazyRouteComponent(() => import('./stash/stash-page.tsx'), 'StashPage'),
  validateSearch: (search): { session?: string; entry?: string } =>
    texts(search, ['session', 'entry']),
})

const filesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/files',
  component: lazyRouteComponent(() => import('./scrub/scrub-page.tsx'), 'ScrubPage'),
  validateSearch: (search): { session?: string; file?: string } =>
    texts(search, ['session', 'file']),
})

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: lazyRouteComponent(() => import('./settings/settings-page.tsx'), 'SettingsPage'),
})
const limitsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/limits',
  component: lazyRouteComponent(() => import('./settings/limits-page.tsx'), 'LimitsPage'),
})

/** The known search parameters of a URL, as text. */
function texts<Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  // The router parses a typed turn or operation number as a number.
  const given = names.filter((name) => ['string', 'number'].includes(typeof search[name]))
  return Object.fromEntries(given.map((name) => [name, String(search[name])])) as never
}

export function makeRouter() {
  return createRouter({
    routeTree: rootRoute.addChildren([
      homeRoute,
      sessionRoute,
      newRoute,
      operationsRoute,
      compareRoute,
      graphRoute,
      filesRoute,
      checkpointsRoute,
      stashRoute,
      settingsRoute,
      limitsRoute,
    ]),
    defaultNotFoundComponent: Home,
    scrollRestoration: false,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
