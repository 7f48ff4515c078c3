import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { AppFrame } from './frame/app-frame.tsx'
import { CheckpointsPage } from './checkpoints/checkpoints-page.tsx'
import { ComparePage } from './compare/compare-page.tsx'
import { Home } from './frame/home.tsx'
import { NewSession } from './frame/new-session.tsx'
import { SessionPage } from './frame/session-page.tsx'
import { GraphPage } from './graph/graph-page.tsx'
import { LimitsPage } from './settings/limits-page.tsx'
import { SettingsPage } from './settings/settings-page.tsx'
import { ScrubPage } from './scrub/scrub-page.tsx'
import { OperationsPage } from './operations/operations-page.tsx'
import { StashPage } from './stash/stash-page.tsx'

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

const operationsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/operations',
  component: OperationsPage,
  validateSearch: (search): { session?: string; operation?: string } =>
    texts(search, ['session', 'operation']),
})

const compareRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/compare',
  component: ComparePage,
  validateSearch: (search): { session?: string; a?: string; b?: string } =>
    texts(search, ['session', 'a', 'b']),
})

const graphRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/graph',
  component: GraphPage,
  validateSearch: (search): { session?: string } => texts(search, ['session']),
})

const checkpointsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/checkpoints',
  component: CheckpointsPage,
  validateSearch: (search): { session?: string; name?: string } =>
    texts(search, ['session', 'name']),
})

const stashRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/stash',
  component: StashPage,
  validateSearch: (search): { session?: string; entry?: string } =>
    texts(search, ['session', 'entry']),
})

const filesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/files',
  component: ScrubPage,
  validateSearch: (search): { session?: string; file?: string } =>
    texts(search, ['session', 'file']),
})

const settingsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/settings',
  component: SettingsPage,
})
const limitsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/limits',
  component: LimitsPage,
})

/** What an address says besides its path, as far as it is known and text. */
function texts<Name extends string>(
  search: Record<string, unknown>,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const given = names.filter((name) => typeof search[name] === 'string')
  return Object.fromEntries(given.map((name) => [name, search[name]])) as never
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
