import { OpenAPIHono, z } from '@hono/zod-openapi'
import { routes, streams, type RouteName, type StreamName } from '#protocol'
import { type Definitions, params, schemaComponents, type SchemaName } from '../requests/index.ts'
import { runStreams } from './run-routes.ts'

type Registry = OpenAPIHono['openAPIRegistry']
type Content = Record<string, { schema: object }>

/** The OpenAPI document of the whole API, made from the routes themselves. */
export function describeApi(definitions: Definitions, version: string): object {
  const described = new OpenAPIHono()
  const registry = described.openAPIRegistry
  for (const [name, schema] of Object.entries(schemaComponents()))
    registry.registerComponent('schemas', name, schema)
  registry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' })
  for (const name of Object.keys(routes) as RouteName[]) describeRoute(registry, name, definitions)
  describeStreams(registry)
  return described.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Retake',
      version,
      description:
        'Undo, redo and branches for coding-agent sessions. On this machine only; every route needs a token but `launch`, `makeChallenge` and `signIn`, which give one.',
      license: { name: 'MIT' },
    },
    servers: [{ url: '/' }],
  })
}

/** Routes that need no token, because clients get their token there. */
const ENTRANCES = new Set<RouteName>(['launch', 'makeChallenge', 'signIn'])

function describeRoute(registry: Registry, name: RouteName, definitions: Definitions): void {
  const [method, path] = routes[name]
  const { says, answers, body, query } = definitions[name]
  registry.registerPath({
    method: method.toLowerCase() as 'get',
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    operationId: name,
    summary: says,
    security: ENTRANCES.has(name) ? [] : [{ token: [] }],
    request: {
      ...describePlaces(path),
      ...(query === undefined ? {} : { query: query as z.ZodObject }),
      ...(body === undefined
        ? {}
        : { body: { content: { 'application/json': { schema: body as z.ZodType } } } }),
    },
    responses: {
      200: { description: says, content: json(answers) },
      default: { description: 'What went wrong', content: problemContent },
    },
  })
}

const problemContent: Content = { 'application/problem+json': { schema: reference('error') } }

function json(names: readonly SchemaName[]): Content {
  const [first, ...more] = names.map(reference)
  return {
    'application/json': { schema: more.length === 0 ? first! : { oneOf: [first, ...more] } },
  }
}

function reference(name: SchemaName): { $ref: string } {
  return { $ref: `#/components/schemas/${name}` }
}

function describeRun(registry: Registry, name: StreamName): void {
  const [method, path] = streams[name]
  const { says, body } = runStreams[name]
  registry.registerPath({
    method: method.toLowerCase() as 'get',
    path: path.replaceAll(/:(\w+)/g, '{$1}'),
    operationId: name,
    summary: says,
    security: [{ token: [] }],
    request: {
      ...describePlaces(path),
      ...(body === undefined
        ? {}
        : { body: { content: { 'application/json': { schema: body as z.ZodType } } } }),
    },
    responses: {
      200: {
        description:
          'Server-sent events: `started`, then `text`, `thinking`, `tool`, `tool_result`, `approval` and others, `turn_end` at last',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      default: { description: 'What went wrong', content: problemContent },
    },
  })
}

function describePlaces(path: string): { params?: z.ZodObject } {
  const places = [...path.matchAll(/:(\w+)/g)].map(([, place]) => place as keyof typeof params)
  if (places.length === 0) return {}
  const known = places.map((place) => [place, z.string().regex(params[place])])
  return { params: z.object(Object.fromEntries(known)) }
}

/** Routes that do not answer with JSON. */
function describeStreams(registry: Registry): void {
  for (const name of Object.keys(streams) as StreamName[]) describeRun(registry, name)
  registry.registerPath({
    method: 'get',
    path: '/api/events',
    operationId: 'events',
    summary: 'Follow changes as server-sent events; `Last-Event-ID` replays missed ones',
    security: [{ token: [] }],
    request: { headers: z.object({ 'Last-Event-ID': z.string().optional() }) },
    responses: {
      200: {
        description: 'One event each time a session or an operation changes something',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      default: { description: 'What went wrong', content: problemContent },
    },
  })
  registry.registerPath({
    method: 'get',
    path: '/metrics',
    operationId: 'metrics',
    summary: 'Read the counters of this server, in the text format of Prometheus',
    security: [{ token: [] }],
    responses: {
      200: { description: 'Counters', content: { 'text/plain': { schema: { type: 'string' } } } },
      default: { description: 'What went wrong', content: problemContent },
    },
  })
}
