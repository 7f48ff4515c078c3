/** The minimum cost of a route: Hono, Node's own server, one small JSON object. */
import { serve } from '@hono/node-server'
import { Hono } from 'hono'

const app = new Hono()
app.get('/bare', (context) => context.json({ schema: 'bare/1', text: 'x'.repeat(400) }))
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  process.stdout.write(`http://127.0.0.1:${port}\n`),
)
