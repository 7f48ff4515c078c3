import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { openClient, routes, streams } from '#protocol'
import { scene } from '../scene.ts'
import { answeringHere } from './in-process.ts'

interface Document {
  openapi: string
  info: { title: string; version: string }
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> }
}

interface Operation {
  operationId: string
  summary: string
  security: Record<string, string[]>[]
  parameters?: { name: string; in: string; required?: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { description: string; content: Record<string, { schema: object }> }>
}

let whole: Promise<{ document: Document; page: string }> | undefined
const readDocument = () => (whole ??= askForDocument())

async function askForDocument(): Promise<{ document: Document; page: string }> {
  await using s = await scene()
  await using server = await answeringHere(s)
  const headers = { Authorization: `Bearer ${server.record.token}` }
  const document = (await (
    await fetch(`${server.url}/openapi.json`, { headers })
  ).json()) as Document
  return { document, page: await (await fetch(`${server.url}/docs`)).text() }
}

test('the OpenAPI document has every route, every schema compiles, and every reference resolves', async () => {
  const { document, page } = await readDocument()
  expect(document.openapi).toBe('3.1.0')
  expect(document.components.securitySchemes).toEqual({ token: { type: 'http', scheme: 'bearer' } })
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )
  const ids = described.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.toSorted()).toEqual(
    [...Object.keys(routes), ...Object.keys(streams), 'events', 'metrics'].toSorted(),
  )

  // A validator compiles one document with the same references.
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema({ $id: 'retake:document', components: document.components })
  const compile = (schema: object) =>
    ajv.compile(
      JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"retake:document#/')) as object,
    )
  for (const schema of Object.values(document.components.schemas)) compile(schema)
  for (const { path, method, operation } of described) {
    expect(operation.summary.length, path).toBeGreaterThan(5)
    const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    const named = (operation.parameters ?? []).filter((each) => each.in === 'path')
    expect(named.map(({ name }) => name)).toEqual(places)
    for (const { required, schema } of named) {
      expect(required).toBe(true)
      compile(schema)
    }
    expect(Object.keys(operation.responses)).toEqual(['200', 'default'])
    const bodies = Object.values(operation.requestBody?.content ?? {})
    if (method === 'get') expect(bodies).toEqual([])
    const answers = Object.values(operation.responses).flatMap(({ content }) =>
      Object.values(content),
    )
    for (const { schema } of [...bodies, ...answers]) compile(schema)
    expect(operation.security).toEqual(
      ['launch', 'makeChallenge', 'signIn'].includes(operation.operationId) ? [] : [{ token: [] }],
    )
    expect(page).toContain(`${method.toUpperCase()} ${path}`)
  }
})

test('the server accepts exactly the bodies that the document describes', async () => {
  const { document } = await readDocument()
  const ajv = new Ajv2020({ strict: false })
  const { schema } = document.paths['/api/sessions/{session}/rewind']!['post']!.requestBody!.content['application/json']! // prettier-ignore
  const takes = ajv.compile(schema)
  expect(takes({ turn: 3, only: 'files' })).toBe(true)
  expect(takes({ turn: 'abcd', before: true })).toBe(true)
  for (const wrong of [{}, { turn: -1 }, { turn: 1, only: 'all' }, { turn: 1, path: '/etc' }])
    expect(takes(wrong), JSON.stringify(wrong)).toBe(false)
})

test('the client has one function per route, and imports nothing of Node', async () => {
  const asked: string[] = []
  const client = openClient({
    origin: 'http://127.0.0.1:1',
    token: 'T',
    fetch: (input, init) => {
      asked.push(`${init?.method ?? 'GET'} ${input as string}`)
      return Promise.resolve(new Response('{}'))
    },
  })
  for (const [name, [, path]] of Object.entries(routes)) {
    const places = [...path.matchAll(/:(\w+)/g)].map(([, place]) => [place!, `${place}-id`])
    const call = client[name as keyof typeof routes] as (input: object) => Promise<unknown>
    await call({ ...Object.fromEntries(places), limit: 2 })
  }
  expect(asked).toHaveLength(Object.keys(routes).length)
  for (const each of asked) expect(each).not.toMatch(/\/:|undefined/)
  expect(asked).toContain('GET http://127.0.0.1:1/api/plans/plan-id/files/file-id?limit=2')
  expect(asked).toContain('POST http://127.0.0.1:1/api/sessions/session-id/undo')
})
