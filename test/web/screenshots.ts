/**
 * Takes pictures of every screen into docs/pictures: `npm run screenshots`, optionally with the
 * names of some. The real agent plays the sessions with the scripted model; the page is the real
 * one.
 */
import { readFile, rm, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { openClient, type Client, type ServerView } from '#protocol'
import { claudeCode } from '../agent/index.ts'
import { placeShop } from '../codex/recorded-home.ts'
import { bash } from '../model/index.ts'
import { scene, type Scene } from '../scene.ts'
import { liveService } from '../voice/live-service.ts'
import { startChromium } from './chromium.ts'
import { markPage } from './mark.ts'
import { pictureFiles, PICTURES, type PictureName, type Theme } from './pictures.ts'
import { stage } from './stage.ts'

const pictures = fileURLToPath(new URL('../../docs/pictures', import.meta.url))
const cli = fileURLToPath(new URL('../../bin/retake.js', import.meta.url))
const wanted = process.argv.slice(2)
const taken = new Set<string>()
for (const name of wanted)
  if (!(name in PICTURES)) throw new Error(`There is no picture “${name}”.`)

process.umask(0o022)
await using own = await startChromium([
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  `--use-file-for-fake-audio-capture=${fileURLToPath(new URL('../fixtures/voice/go-back.wav', import.meta.url))}`,
])
await using played = await stage({ hooks: true })
const { s, model, agent, id } = played
const roots = [s.root]
model.on('Delete the old logs', [[bash('rm -rf logs/')], 'They are gone.'])
model.on('Explain the login', [
  { blocks: ['The login has three parts:\n\n1. the form at `/login`\n2. '], hang: 'after' },
])
await using service = await liveService()
await s.write(
  join(s.home, '.config/retake/settings.json'),
  JSON.stringify({ voice: true, voiceUrl: service.url }),
)
const { client, url } = await serve(s, {
  ...agent.env,
  GEMINI_API_KEY: 'of-nobody',
  // As if the agent were installed.
  PATH: [s.env['PATH'], dirname(agent.binary)].join(delimiter),
})

for (const theme of ['light', 'dark'] as const) {
  await shoot('session', theme, async (page) => {
    await page.getByText('Failed logins are logged').waitFor()
    await page.getByRole('button', { name: '1 file' }).last().click()
    await page
      .getByRole('button', { name: /src\/auth\.ts/ })
      .last()
      .click()
    await page.getByRole('region', { name: 'Changes in src/auth.ts' }).waitFor()
    await page.mouse.move(700, 300)
    await page.mouse.wheel(0, 4000)
  })
  await shoot('plan', theme, async (page) => {
    await menu(page, 'Use server sessions, not JWT', 'Undo to before this prompt')
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /src\/app\.ts/ })
      .click()
    await page.getByRole('region', { name: 'Changes in src/app.ts' }).waitFor()
  })
  await shoot('branches', theme, async (page) => {
    await page.getByRole('article', { name: /Use server sessions/ }).scrollIntoViewIfNeeded()
    await page.getByRole('button', { name: 'Try 2/2: show all' }).click()
    await page.keyboard.press('ArrowLeft')
    await page.getByText('Tokens live for 15 minutes').waitFor()
  })
  await shoot('tries', theme, async (page) => {
    await page.getByRole('article', { name: /Use server sessions/ }).scrollIntoViewIfNeeded()
    await page.getByRole('button', { name: 'Previous try' }).click()
    await page.getByText('The login issues a signed token').waitFor()
  })
}
for (const theme of ['light', 'dark'] as const) {
  await shoot('voice', theme, async (page) => {
    await page.getByText('Failed logins are logged').waitFor()
    await page.getByRole('button', { name: 'Voice and commands' }).click()
    const bar = page.getByRole('region', { name: 'Voice and commands' })
    await bar.getByText('Backends free').click()
    await bar.getByRole('button', { name: 'Speak' }).click()
    const talk = await service.connected()
    await talk.heard()
    const hear = (heard: string): void =>
      talk.say({ serverContent: { inputTranscription: { text: heard } } })
    hear('Where are we?')
    await talk.call('status')
    talk.speak('You are at turn six, and nothing is undone.', 1)
    hear('Undo two turns but keep the files')
    await bar.getByText('Undo two turns but keep the files').waitFor()
  })
  await client.deleteVoiceLog({ session: id })
}
// What a first-time user can do.
await shoot('first-look', 'light', async (page) => {
  await page.getByText('Failed logins are logged').waitFor()
  const turn = page.getByRole('article', { name: /Use server sessions/ })
  await turn.scrollIntoViewIfNeeded()
  await page.mouse.move(700, 300)
  await page.mouse.wheel(0, -60)
  await page.evaluate('new Promise((done) => setTimeout(done, 500))')
  const between = page.getByRole('article', { name: /Hash passwords/ })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await markPage(
    page,
    [
      { at: page.locator('[data-session]').first(), says: 'Open any session of this machine' },
      {
        at: turn
          .locator('p, div')
          .filter({ hasText: /^Use server sessions/ })
          .last(),
        says: 'Read a turn: your prompt, what the agent did and said',
      },
      {
        at: between.getByRole('button', { name: 'Undo to here' }),
        says: 'Undo everything after this point, files and chat',
      },
      { at: turn.getByText('2/2'), says: 'See other tries at this turn, and switch to one' },
      { at: button('Undo'), says: 'Undo the last turn; the plan is shown first' },
      { at: button('Back · chat only'), says: 'Go back one turn in the chat; files stay' },
      {
        at: page.getByRole('button', { name: /^7 files/ }),
        says: 'See every file that the session changed',
      },
      { at: button('View'), says: 'Graph, compare, files through time, checkpoints' },
      { at: page.getByRole('textbox', { name: 'Prompt' }), says: 'Go on: send the next prompt' },
      {
        at: page.getByRole('button', { name: /^Search/ }),
        says: 'Search all sessions, and every command',
      },
    ],
    { x: 20, y: 250, width: 262 },
  )
})
await shoot('menu', 'light', (page) => openMenu(page, 'Add tests for the login'))
await shoot('keys', 'light', async (page) => {
  await page.getByText('Failed logins are logged').waitFor()
  await page.keyboard.press('?')
})
await shoot('new-session', 'light', (page) => page.getByText('Before it changes').waitFor(), '/new')
await shoot('sessions', 'light', async (page) => {
  await page.getByText('Failed logins are logged').waitFor()
  const row = page.locator('[data-session]').first()
  await row.click({ modifiers: ['Control'] })
  await row.click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Rename…' }).waitFor()
})
const notes = join(s.project, 'notes.md')
await writeFile(notes, '# Login\n\n- sessions live in memory: ask about restarts\n')
for (const [by, said] of [
  ['you', 'Log every failed login, please.'],
  ['voice', 'Failed logins are logged now, without the password.'],
  ['you', 'Go back.'],
  ['retake', 'One turn of conversation taken back.'],
] as const)
  await client.appendToVoiceLog({ session: id, by, text: said })
for (const theme of ['light', 'dark'] as const)
  await shoot('two-logs', theme, async (page) => {
    await page.getByText('One turn of conversation taken back.').waitFor()
    await page.getByRole('button', { name: 'You edited 1 file' }).click()
    await page.getByRole('button', { name: 'notes.md new' }).click()
    await page.getByRole('region', { name: 'Changes in notes.md' }).waitFor()
    await page.mouse.move(700, 300)
    await page.mouse.wheel(0, 4000)
  })
await client.deleteVoiceLog({ session: id })
await rm(notes)
const auth = join(s.project, 'src/auth.ts')
const text = await readFile(auth, 'utf8')
await writeFile(auth, text.replace("'unknown user'", "'who is that?'"))
await shoot('conflict', 'dark', async (page) => {
  await menu(page, 'Log every failed login', 'Undo to before this prompt')
  await page.getByText('You and the agent both changed').first().waitFor()
})
for (const theme of ['light', 'dark'] as const)
  await shoot('versions', theme, async (page) => {
    await menu(page, 'Log every failed login', 'Undo to before this prompt')
    await page.getByRole('button', { name: /^Compare versions/ }).click()
    await page.getByText('who is that?').first().waitFor()
  })
await writeFile(auth, text)
await client.setCheckpoint({ session: id, name: 'with sessions', turn: 3 })
await client.undo({ session: id, count: 3 })
for (const theme of ['light', 'dark'] as const)
  await shoot('undone', theme, async (page) => {
    await page.getByText('3 turns undone').waitFor()
    await page.mouse.move(700, 300)
    await page.mouse.wheel(0, 260)
    await page.getByText('You are here').waitFor()
  })
const about = (view: string): string => `/${view}?session=${id}`
const low = { width: 1280, height: 640 }
await shoot('home', 'light', (page) => page.getByText('Recently undone').waitFor(), '/', low)
await shoot('operations', 'light', shown('Changes in'), about('operations'), low)
await shoot(
  'checkpoints',
  'light',
  async (page) => {
    await page.getByRole('button', { name: /^works/ }).click()
    await page.getByText(/not what (it was|they were) then/).waitFor()
  },
  about('checkpoints'),
  low,
)
await shoot('stash', 'light', shown('Changes in'), about('stash'), low)
await shoot(
  'settings',
  'light',
  (page) => page.getByText('for copies of transcripts').waitFor(),
  '/settings',
)
await shoot('search', 'light', async (page) => {
  await page.getByText('3 turns undone').waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search turns' }).fill('login')
  await page.getByRole('option', { name: /src\/login-form\.ts/ }).waitFor()
})
for (const theme of ['light', 'dark'] as const) {
  await shoot(
    'graph',
    theme,
    async (page) => {
      await page.getByText('you are here').waitFor()
      await page.getByRole('region', { name: 'Chosen turn' }).getByText('2 files').waitFor()
    },
    about('graph'),
    low,
  )
  await shoot('compare', theme, shown('Both sides of'), about('compare'))
  await shoot(
    'files',
    theme,
    async (page) => {
      await page.getByRole('button', { name: /src\/auth\.ts/ }).click()
      await page.getByText('Who wrote it').click()
      await page
        .getByRole('link', { name: /^turn 2/ })
        .first()
        .waitFor()
    },
    about('files'),
    low,
  )
}
await client.redo({ session: id, all: true })
await shoot('approval', 'light', async (page) => {
  await say(page, 'Delete the old logs')
  await page.getByRole('alertdialog').waitFor()
})
await client.back({ session: id })
await shoot('running', 'light', async (page) => {
  await say(page, 'Explain the login')
  await page.getByText('the form at').waitFor()
})
await client.back({ session: id })
await client.branch({ session: id, turn: 4, title: 'Without a database' })
await shoot('lineage', 'light', async (page) => {
  await page.getByRole('link', { name: /Without a database/ }).click()
  await page.getByText('Rewound from turn 4').waitFor()
})
await shoot(
  'narrow',
  'light',
  (page) =>
    page
      .getByText('Message Claude…')
      .waitFor()
      .catch(() => {}),
  undefined,
  { width: 420, height: 860 },
)

// Recorded sessions of Codex, next to one of Claude Code.
await using mixed = await scene({ name: 'shop', git: true })
roots.push(mixed.root)
model.on('Sort the products by price', 'They are sorted, cheapest first.')
model.on('Why is the start page slow?', 'It reads every product file for each request.')
for (const prompt of ['Sort the products by price', 'Why is the start page slow?'])
  await claudeCode(mixed, model).prompt(prompt)
const { scenarios } = await placeShop(mixed)
const both = await serve(mixed, mixed.env)
const cart = `/s/${scenarios.cart}`
const shootBoth = (name: PictureName, prepare: (page: Page) => Promise<unknown>): Promise<void> =>
  shoot(
    name,
    'light',
    async (page) => {
      await page.getByRole('button', { name: 'Do not offer again' }).click()
      await prepare(page)
    },
    cart,
    low,
    both,
  )
await shootBoth('codex-list', async (page) => {
  await page.getByText('so it is gone').waitFor()
  await page.getByRole('group', { name: 'Agents' }).getByRole('button', { name: 'All' }).hover()
})
await shootBoth('codex-plan', async (page) => {
  await page.getByText('so it is gone').waitFor()
  await page.getByRole('article', { name: /Round the total/ }).focus()
  await page.keyboard.press('u')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /src\/cart\.ts/ }).click()
  await page.getByRole('region', { name: 'Changes in src/cart.ts' }).waitFor()
})
await both.client.undo({ session: scenarios.cart, count: 2 })
await shootBoth('codex-undone', (page) => page.getByText('2 turns undone').first().waitFor())

await using empty = await scene()
const other = await serve(empty, empty.env)
await shoot(
  'first-run',
  'light',
  (page) => page.getByText('Next step: install the hooks').waitFor(),
  '/',
  undefined,
  other,
)
await shoot(
  'stranger',
  'light',
  (page) => page.getByText('Open Retake').waitFor(),
  '/',
  undefined,
  null,
)

const missed = pictureFiles().filter((file) => !taken.has(file))
if (wanted.length === 0 && missed.length > 0)
  throw new Error(`These pictures are listed and were not taken: ${missed.join(', ')}`)

interface Served {
  readonly url: string
  readonly client: Client
}

async function serve(at: Scene, env: Readonly<Record<string, string>>): Promise<Served> {
  const child = at.processes.start(process.execPath, [cli, 'serve', '--json'], {
    cwd: at.project,
    env: { ...env },
  })
  const line = await new Promise<string>((resolve) =>
    child.stdout!.setEncoding('utf8').once('data', resolve),
  )
  const { url: origin, token } = JSON.parse(line) as ServerView
  return { url: origin, client: openClient({ origin, token }) }
}

async function shoot(
  name: PictureName,
  theme: Theme,
  prepare: (page: Page) => Promise<unknown>,
  path = `/s/${id}`,
  size = { width: 1280, height: 800 },
  served: Served | null = { url, client },
): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return
  const context = await own.browser.newContext({
    colorScheme: theme,
    viewport: size,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const code = served === null ? '' : new URL((await served.client.makeLaunchCode({})).url).hash
  await page.goto(`${served?.url ?? url}${path}${code}`)
  await prepare(page)
  await page.evaluate('new Promise((done) => setTimeout(done, 700))')
  await moveHome(page)
  const file = `${name}-${theme}.png`
  taken.add(file)
  await page.screenshot({ path: join(pictures, file) })
  await context.close()
}

/** Replaces the scenes' temporary directories by a home directory, as a user would see it. */
function moveHome(page: Page): Promise<void> {
  return page.evaluate(`(() => {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let text = walk.nextNode(); text !== null; text = walk.nextNode())
      for (const root of ${JSON.stringify(roots)})
        text.data = text.data.replaceAll(root, '/home/ada')
  })()`)
}

function shown(region: string): (page: Page) => Promise<void> {
  return (page) => page.getByRole('region', { name: region }).first().waitFor()
}

function openMenu(page: Page, prompt: string): Promise<void> {
  return page
    .getByRole('article', { name: new RegExp(prompt) })
    .click({ button: 'right', position: { x: 300, y: 40 } })
}

async function menu(page: Page, prompt: string, entry: string): Promise<void> {
  await page.getByText('Failed logins are logged').waitFor()
  const article = page.getByRole('article', { name: new RegExp(prompt) })
  await article.scrollIntoViewIfNeeded()
  await openMenu(page, prompt)
  await page.getByRole('menuitem', { name: entry }).click()
  await page.getByRole('dialog').getByRole('list', { name: 'Files' }).waitFor()
}

async function say(page: Page, prompt: string): Promise<void> {
  await page.getByText('Failed logins are logged').waitFor()
  await page.getByRole('textbox', { name: 'Prompt' }).fill(prompt)
  await page.keyboard.press('Enter')
}
