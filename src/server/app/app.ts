import { Hono, type Context } from 'hono'
import { usableSettings } from '#engine'
import { Failure } from '#failure'
import { routes, streams, type RouteName, type StreamName } from '#protocol'
import {
  branchRoutes,
  changeRoutes,
  describeApi,
  docsPage,
  fileRoutes,
  operationRoutes,
  ownRoutes,
  readRoutes,
  runRoutes,
  runStreams,
  searchRoutes,
  sessionRoutes,
  settingsRoutes,
  voiceRoutes,
} from '../routes/index.ts'
import { streamEvents, streamRun } from '../live/index.ts'
import {
  failureOf,
  LARGEST_PROMPT,
  pageHeaders,
  problem,
  readBody,
  readPage,
  screens,
  securityHeaders,
  statusOf,
} from '../http/index.ts'
import { type Definition, type Definitions, params, type Served } from '../requests/index.ts'

const definitions: Definitions = {
  ...ownRoutes,
  ...readRoutes,
  ...changeRoutes,
  ...branchRoutes,
  ...operationRoutes,
  ...searchRoutes,
  ...fileRoutes,
  ...settingsRoutes,
  ...runRoutes,
  ...voiceRoutes,
  ...sessionRoutes,
}

/** How many windows may listen at once. */
const MAX_CLIENTS = 64

/**
 * Every route, behind the door that checks clients. Handlers throw Failures, and only here do these
 * become responses.
 */
export function makeApp(served: Served): Hono {
  const { feed, metrics, version } = served
  const app = new Hono()
  app.onError((error, context) => refuse(served, context, error))
  app.notFound(() => problem(new Failure('not-found', 'Nothing was found at this address.')))
  app.use(async (context, next) => {
    const start = performance.now()
    await next()
    const route = context.req.routePath
    metrics.countRequest(route, context.res.status, (performance.now() - start) / 1000)
  })
  for (const path of ['/', '/s/*', ...screens, '/assets/*', '/icon.svg', '/page.css'])
    app.get(path, (context) => answerPage(served, context.req.path))
  // Made for the first request, because few ask for it and it takes a fifth of the start.
  let described: object | undefined
  const describe = (): object => (described ??= describeApi(definitions, version))
  app.get('/docs', (context) =>
    context.body(docsPage(describe()), 200, {
      ...securityHeaders,
      'Content-Type': 'text/html; charset=utf-8',
    }),
  )
  app.get('/openapi.json', () => answer(describe()))
  app.get('/metrics', () => answerText(metrics.text(gauges(served))))
  app.get('/api/events', (context) => {
    if (feed.clients >= MAX_CLIENTS)
      throw new Failure('too-many-clients', `${MAX_CLIENTS} windows are open already.`, {
        hint: 'Close one of them.',
      })
    return streamEvents(feed, context.req.header('Last-Event-ID') ?? null)
  })
  for (const name of Object.keys(routes) as RouteName[]) bind(app, name, served)
  for (const name of Object.keys(streams) as StreamName[]) bindStream(app, name, served)
  return app
}

function bind(app: Hono, name: RouteName, served: Served): void {
  const [method, path] = routes[name]
  const definition = definitions[name] as Definition<'undo'>
  app.on(method, path, async (context) => {
    const given = readParams(context, path)
    const query = check(definition.query, context.req.query()) as never
    const body = method === 'GET' ? {} : await readBody(context.req.raw)
    const checked = check(definition.body, body) as never
    if (given['session'] !== undefined) await served.ahead.prepare(given['session'], 'read')
    return answer(await definition.handle({ params: given as never, query, body: checked }, served))
  })
}

function bindStream(app: Hono, name: StreamName, served: Served): void {
  const [method, path] = streams[name]
  const definition = runStreams[name]
  app.on(method, path, async (context) => {
    const given = readParams(context, path)
    const body = method === 'GET' ? {} : await readBody(context.req.raw, LARGEST_PROMPT)
    const checked = check(definition.body, body)
    const run = definition.find(given as never, checked as never, served)
    await run.named
    return streamRun(run, context.req.header('Last-Event-ID') ?? null)
  })
}

function readParams(context: Context, path: string): Record<string, string> {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as keyof typeof params)
  return Object.fromEntries(
    names.map((name) => {
      const value = context.req.param(name) ?? ''
      if (params[name].test(value)) return [name, value]
      throw new Failure('id-invalid', `That is not the id of a ${name}.`, {
        hint: 'Use an id from one of the server’s lists.',
      })
    }),
  )
}

function check(schema: Definition<'undo'>['body'], given: object): object {
  if (schema === undefined) {
    const [extra] = Object.keys(given)
    if (extra === undefined) return {}
    throw new Failure('body-invalid', `This route takes no \`${extra.slice(0, 40)}\`.`)
  }
  const { success, data, error } = schema.safeParse(given)
  if (success) return data
  const [issue] = error.issues
  const where = issue!.path.map(String).join('.').slice(0, 80)
  throw new Failure('body-invalid', `${where === '' ? '' : `${where}: `}${issue!.message}.`, {
    hint: 'The routes and what they take are described at /docs.',
  })
}

function answerPage({ machine }: Served, path: string): Response {
  const file = readPage(path)
  if (file === null) throw new Failure('not-found', 'Nothing was found at this address.')
  const { voice, voiceUrl } = usableSettings(machine)
  return new Response(file.body, {
    headers: {
      ...pageHeaders(voice ? voiceUrl : null),
      'Content-Type': file.type,
      ...(file.immutable ? { 'Cache-Control': 'private, max-age=31536000, immutable' } : {}),
    },
  })
}

function answer(value: object): Response {
  return new Response(JSON.stringify(value), {
    headers: { ...securityHeaders, 'Content-Type': 'application/json' },
  })
}

function answerText(text: string): Response {
  return new Response(text, {
    headers: { ...securityHeaders, 'Content-Type': 'text/plain; version=0.0.4; charset=utf-8' },
  })
}

function refuse({ log }: Served, { req }: Context, error: unknown): Response {
  const failure = failureOf(error)
  const status = statusOf(failure.code)
  // The path may contain session ids, but nothing that was said in a session.
  log.write({
    failed: `${req.method} ${req.path.slice(0, 200)}`,
    status,
    code: failure.code,
    ...(status === 500 ? { cause: String((failure.cause as Error | undefined)?.stack) } : {}),
  })
  return problem(failure, status)
}

function gauges({ feed }: Served): Record<string, number> {
  const { rss, heapUsed } = process.memoryUsage()
  return {
    clients: feed.clients,
    resident_bytes: rss,
    heap_bytes: heapUsed,
    handles: process.getActiveResourcesInfo().length,
    uptime_seconds: Math.round(process.uptime()),
  }
}
