/**
 * A real Chromium: the machine's own, or the one from an npm package, unpacked once. Nothing is
 * downloaded, so `npm ci` is enough for these tests.
 */
import { execFile } from 'node:child_process'
import { existsSync, realpathSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { chromium, type Browser } from 'playwright-core'
import { buildPage } from '../../scripts/build-page.ts'

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url))
const cache = join(realpathSync(modules), '.cache')
const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/**
 * Without these, Chromium contacts its servers at every start, which is slow on a closed network.
 */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
]

export interface OwnBrowser extends AsyncDisposable {
  readonly browser: Browser
}

/** Starts Chromium after building the page. */
export async function startChromium(flags: readonly string[] = []): Promise<OwnBrowser> {
  await buildPage()
  return launchChromium({ below: tmpdir(), flags })
}

/** Starts Chromium with its home directory inside `below`. It ends with this process. */
export async function launchChromium({
  below,
  flags = [],
}: {
  readonly below: string
  readonly flags?: readonly string[]
}): Promise<OwnBrowser> {
  const { home, options } = await launchOptions(below, flags)
  const browser = await chromium.launch(options)
  return {
    browser,
    async [Symbol.asyncDispose]() {
      await browser.close()
      await removeHome(home)
    },
  }
}

async function launchOptions(below: string, more: readonly string[]) {
  const { path, env } = await findChromium()
  const home = await mkdtemp(join(below, 'retake-browser-'))
  const options = {
    executablePath: path,
    args: [...FLAGS, ...more],
    // Chromium writes files to the home directory, which must not be the developer's.
    env: { ...env, PATH: process.env['PATH']!, HOME: home, TZ: 'UTC', LANG: 'C.UTF-8' },
  }
  return { home, options }
}

const removeHome = (home: string): Promise<void> =>
  rm(home, { recursive: true, force: true, maxRetries: 5 })

async function findChromium(): Promise<{ path: string; env: Record<string, string> }> {
  const system = SYSTEM.find((path) => existsSync(path))
  if (system !== undefined) return { path: system, env: {} }
  const manifest = new URL('../../node_modules/@sparticuz/chromium/package.json', import.meta.url)
  const { version } = JSON.parse(await readFile(manifest, 'utf8')) as { version: string }
  const place = join(cache, `chromium-${version}`)
  if (!existsSync(place)) await unpack(place)
  return {
    path: join(place, 'chromium'),
    env: { LD_LIBRARY_PATH: join(place, 'al2023/lib'), FONTCONFIG_PATH: join(place, 'fonts') },
  }
}

/**
 * The package unpacks into the temporary directory and mistakes a file that another process is
 * still writing for a complete one. So each process unpacks into its own directory, and the first
 * one wins.
 */
async function unpack(place: string): Promise<void> {
  await mkdir(cache, { recursive: true })
  const made = await mkdtemp(join(cache, 'unpacking-'))
  const code = `import c from '@sparticuz/chromium'; await c.executablePath()`
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    env: { PATH: process.env['PATH']!, TMPDIR: made, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x' },
  })
  const fonts = join(made, 'fonts/fonts.conf')
  const config = await readFile(fonts, 'utf8')
  // The package has no monospaced font; the machine may have one.
  const places = config
    .replaceAll('/tmp/fonts', join(place, 'fonts'))
    .replace('/opt/fonts', '/usr/share/fonts')
  await writeFile(fonts, places)
  await rename(made, place).catch(() => {})
  await rm(made, { recursive: true, force: true })
}
