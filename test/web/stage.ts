/**
 * A realistic project with sessions that the real agent played: thinking, edits, commands, a
 * subagent, a fork and a checkpoint. For tests and pictures.
 */
import { claudeCode } from '../agent/index.ts'
import { agent, bash, edit, read, scriptedModel, think, write } from '../model/index.ts'
import { scene, type Scene } from '../scene.ts'

const AUTH = `import { createHash } from 'node:crypto'

export interface User {
  name: string
  password: string
}

const users = new Map<string, User>()

export function register(name: string, password: string): User {
  const user = { name, password: hash(password) }
  users.set(name, user)
  return user
}

export function login(name: string, password: string): User | null {
  const user = users.get(name)
  return user?.password === hash(password) ? user : null
}

function hash(password: string): string {
  return createHash('md5').update(password).digest('hex')
}
`
const APP = `import { createServer } from 'node:http'
import { route } from './router.ts'

createServer((request, response) => {
  route(request, response)
}).listen(8080)
`
const ROUTER = `import type { IncomingMessage, ServerResponse } from 'node:http'

export function route(request: IncomingMessage, response: ServerResponse): void {
  if (request.url === '/') return void response.end('shop')
  response.statusCode = 404
  response.end('not found')
}
`

export const files = {
  'src/auth.ts': AUTH,
  'src/app.ts': APP,
  'src/router.ts': ROUTER,
  'README.md': '# shop\n\nA small shop.\n',
  'package.json': '{ "name": "shop", "type": "module" }\n',
}

export interface Stage extends AsyncDisposable {
  readonly s: Scene
  readonly model: Awaited<ReturnType<typeof scriptedModel>>
  readonly agent: ReturnType<typeof claudeCode>
  /** The session with the fork. */
  readonly id: string
}

/** The session's line has turns 1 to 6; a branch with two turns forks after turn 2. */
export async function stage({ hooks = false }: { hooks?: boolean } = {}): Promise<Stage> {
  const s = await scene({ files, git: true, name: 'shop' })
  const model = await scriptedModel()
  const claude = claudeCode(s, model)
  script(model)
  if (hooks) await must(s.retake('install', '--scope', 'user'))
  const say = async (text: string, resume?: string): Promise<string> =>
    (await claude.prompt(text, resume === undefined ? {} : { resume })).sessionId
  const id = await say('Add a login form')
  await say('Hash passwords with scrypt instead of md5', id)
  await must(s.retake('checkpoint', 'works', '--session', id))
  await say('Use JWT for the login', id)
  await say('Add refresh tokens', id)
  await must(s.retake('undo', '2', '--yes', '--session', id))
  await say('Use server sessions, not JWT', id)
  await say('Add tests for the login', id)
  await say('Look for other places that compare passwords', id)
  await say('Log every failed login', id)
  return {
    s,
    model,
    agent: claude,
    id,
    async [Symbol.asyncDispose]() {
      await model[Symbol.asyncDispose]()
      await s[Symbol.asyncDispose]()
    },
  }
}

async function must(run: Promise<{ code: number | null; stderr: string }>): Promise<void> {
  const { code, stderr } = await run
  if (code !== 0) throw new Error(stderr)
}

function script(model: Awaited<ReturnType<typeof scriptedModel>>): void {
  model.on('Add a login form', [
    [
      think('The router answers everything itself. A form needs one more route.'),
      read('src/router.ts'),
    ],
    [
      write('src/login-form.ts', FORM),
      edit(
        'src/router.ts',
        '  response.statusCode = 404',
        "  if (request.url === '/login') return void response.end(loginForm())\n  response.statusCode = 404",
      ),
    ],
    edit(
      'src/router.ts',
      'import type { Inc',
      "import { loginForm } from './login-form.ts'\nimport type { Inc",
    ),
    'I added a **login form** at `/login`:\n\n- `src/login-form.ts` renders it, without any script\n- `src/router.ts` has the route\n\nPosting the form is not handled yet:\n\n```ts\nexport function loginForm(): string {\n  return `<form method="post">…</form>`\n}\n```',
  ])
  model.on('Hash passwords with scrypt instead of md5', [
    [read('src/auth.ts')],
    [
      edit(
        'src/auth.ts',
        "import { createHash } from 'node:crypto'",
        "import { scryptSync } from 'node:crypto'",
      ),
      edit(
        'src/auth.ts',
        "  return createHash('md5').update(password).digest('hex')",
        "  return scryptSync(password, SALT, 32).toString('hex')",
      ),
      edit('src/auth.ts', 'const users =', "const SALT = 'shop'\nconst users ="),
    ],
    [bash('node --check src/auth.ts')],
    'Passwords are hashed with `scrypt` now. Existing users must set theirs again: md5 hashes cannot be carried over.',
  ])
  model.on('Use JWT for the login', [
    [
      write('src/jwt.ts', JWT),
      edit('src/auth.ts', 'User | null {', 'User | null { // returns a token soon'),
    ],
    'The login issues a signed token that is valid for an hour.',
  ])
  model.on('Add refresh tokens', [
    [edit('src/jwt.ts', '3600', '900')],
    'Tokens live for 15 minutes and can be refreshed for a week.',
  ])
  model.on('Use server sessions, not JWT', [
    [
      think('A map in memory is enough for one process. The cookie must be HttpOnly.'),
      read('src/app.ts'),
    ],
    [
      write('src/sessions.ts', SESSIONS),
      edit(
        'src/app.ts',
        'import { route }',
        "import { sessionOf } from './sessions.ts'\nimport { route }",
      ),
    ],
    'Sessions are kept on the server:\n\n| what | where |\n|---|---|\n| id | cookie `sid`, HttpOnly |\n| user | in memory |\n\nNothing has to be signed, and a logout takes effect at once.',
  ])
  model.on('Add tests for the login', [
    [write('test/login.test.ts', TEST)],
    [bash('node --test test/missing.test.ts')],
    'Three tests; the last run failed because the path was wrong, the file itself is fine.',
  ])
  model.on('Look for other places that compare passwords', [
    [agent('Search for password comparisons')],
    'There is one more place, in `README.md`: it told people to compare hashes by hand. I removed that.',
  ])
  model.on('Search for password comparisons', [
    [read('README.md')],
    [edit('README.md', 'A small shop.', 'A small shop with a login.')],
    'README.md',
  ])
  model.on('Log every failed login', [
    [
      edit(
        'src/auth.ts',
        '  const user = users.get(name)',
        "  const user = users.get(name)\n  if (user === undefined) console.warn('unknown user')",
      ),
    ],
    'Failed logins are logged, without the password.',
  ])
}

const FORM = `export function loginForm(): string {
  return \`<form method="post" action="/login">
  <input name="name" autocomplete="username">
  <input name="password" type="password">
  <button>Log in</button>
</form>\`
}
`
const JWT = `export function issue(user: string): string {
  return sign({ sub: user, exp: now() + 3600 })
}
`
const SESSIONS = `import { randomUUID } from 'node:crypto'

const sessions = new Map<string, string>()

export function begin(user: string): string {
  const id = randomUUID()
  sessions.set(id, user)
  return id
}

export function sessionOf(id: string): string | undefined {
  return sessions.get(id)
}
`
const TEST = `import test from 'node:test'
import { login, register } from '../src/auth.ts'

test('a user logs in', (t) => {
  register('ada', 'secret')
  t.assert.ok(login('ada', 'secret'))
})
`
