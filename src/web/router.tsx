import { createRootRoute, createRoute, createRouter } from '@tanstack/react-router'
import { AppFrame } from './frame/app-frame.tsx'
import { Home } from './frame/home.tsx'
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

export function makeRouter() {
  return createRouter({
    routeTree: rootRoute.addChildren([homeRoute, sessionRoute]),
    defaultNotFoundComponent: Home,
    scrollRestoration: false,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>
  }
}
