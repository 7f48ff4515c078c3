import { existsSync, writeFileSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksOf, commandsOf, documents, readDocument, root, type Block } from './document.ts'
import { openShop, runAll, type Ran, type Shop } from './run-document.ts'
import { isSameText } from './same-text.ts'

/** Blocks that cannot run here, by their first line, with the reason. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'npm ci && npm start   # open your Claude Code sessions in the browser':
    'installs the very packages that this test runs on, then serves until Ctrl-C',
  'npm ci && npm test    # run all tests, with the real agent and a scripted model':
    'runs this test',
  'npm ci': 'installs the very packages that this test runs on, then serves until Ctrl-C',
  'npx retake demo          # try Retake on a recorded session, in a scratch directory':
    'needs the published package: `npm run test:package` runs the packed one',
  'npx retake demo': 'needs the published package: `npm run test:package` runs the packed one',
  'npm install -g retake':
    'needs the published package: `npm run test:package` runs the packed one',
  'npm run --silent retake -- install --launcher    # writes ~/.local/bin/retake':
    'runs in the clone: test/cli/power.test.ts writes a launcher',
  'retake project move ~/old/shop ~/work/shop':
    'needs a directory that was moved: test/operations/moved-project.test.ts has one',
  'retake settings set voice on': 'the key is pasted in: test/voice/token.test.ts does that',
  'eval "$(retake completion bash)"     # in ~/.bashrc':
    'for three shells at once: test/cli/terminal-verbs.test.ts runs each',
}

/** Documents that another test runs, and that test. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'docs/api.md': 'test/docs/api.test.ts',
}

/** Documents with a picture of a screen, and the test that draws it. */
const DRAWN: Readonly<Record<string, string>> = { 'docs/terminal.md': 'test/docs/tui.test.ts' }
/** Setup before a document runs. */
const PREPARED: Readonly<Record<string, (shop: Shop) => Promise<void>>> = {
  'docs/versions.md': (shop) => claim(shop, '9.9.9'),
}
const LINKING = [
  ...documents(),
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'GLOSSARY.md',
  'src/timeline/SPEC.md',
]
const LINK = /\]\(([^)#]*)(?:#([^)]*))?\)/g
const RUN = ['console', 'sh', 'js', 'ts']

describe('[W21] the manual', () => {
  test('every block of code is run or drawn by a test, or listed with the reason why not', () => {
    const seen = new Set<string>()
    for (const block of documents().flatMap(blocksOf)) {
      const first = firstLine(block)
      if (first in NOT_RUN) seen.add(first)
      else if (block.kind === 'json') JSON.parse(block.text)
      else if (!isElsewhere(block)) expect(RUN, `${block.file}:${block.line}`).toContain(block.kind)
    }
    expect([...seen].toSorted()).toEqual(Object.keys(NOT_RUN).toSorted())
    for (const file of [...Object.values(ELSEWHERE), ...Object.values(DRAWN)])
      expect(existsSync(join(root, file))).toBe(true)
  })

  test.for(documents().filter((file) => blocksOf(file).some(isRun)))(
    '%s: its commands print what it shows',
    async (file) => {
      await using shop = await openShop()
      await PREPARED[file]?.(shop)
      const ran = await runAll(shop, blocksOf(file).filter(isRun).flatMap(commandsOf))
      if (process.env['WRITE'] !== undefined) return writeDown(file, ran)
      for (const [n, { line, text, says, said, code }] of ran.entries()) {
        const at = `${file}:${line}: ${text}`
        // A command that should fail is followed by `echo $?`.
        if (ran[n + 1]?.text !== 'echo $?') expect.soft(code, `${at}\n${said}`).toBe(0)
        if (says !== null && !isSameText(says, said)) expect.soft(said, at).toBe(says)
      }
    },
  )

  test('every link leads to a file, and every anchor to a heading in it', () => {
    for (const file of LINKING)
      for (const [, path, anchor] of readDocument(file).matchAll(LINK)) {
        if (/^https?:/.test(path!)) continue
        const target = path === '' ? file : join(dirname(file), path!)
        const at = `${file} → ${path}#${anchor}`
        expect(existsSync(join(root, target)), at).toBe(true)
        if (anchor !== undefined) expect(anchorsOf(target), at).toContain(anchor)
      }
  })

  test('every path that ARCHITECTURE.md names exists', () => {
    const text = readDocument('ARCHITECTURE.md')
    const named = [...text.matchAll(/`([a-z][\w.-]*(?:\/[\w.-]+)+)`/g)].map(([, path]) => path!)
    const missing = named.filter((path) =>
      [path, `src/${path}`, `src/${path}.ts`].every((each) => !existsSync(join(root, each))),
    )
    expect(missing).toEqual([])
    expect(named.length).toBeGreaterThan(50)
  })
})

/** Makes the session look as if an unknown version had written it. */
async function claim({ s, session }: Shop, version: string): Promise<void> {
  const found = await readdir(s.claudeDir, { recursive: true })
  const path = join(
    s.claudeDir,
    found.find((name) => name.endsWith(`${session}.jsonl`))!,
  )
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replaceAll(/"version":"[\d.]+"/g, `"version":"${version}"`))
}

function isRun(block: Block): boolean {
  return RUN.includes(block.kind) && !(firstLine(block) in NOT_RUN) && !isElsewhere(block)
}

function isElsewhere(block: Block): boolean {
  return block.file in ELSEWHERE || (block.kind === 'text' && block.file in DRAWN)
}

function firstLine({ text }: Block): string {
  return text.slice(0, text.indexOf('\n'))
}

/** The headings of a document, as GitHub names them in anchors. */
function anchorsOf(file: string): string[] {
  return [...readDocument(file).matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** With WRITE=1, writes the real output into the document where it differs. */
function writeDown(file: string, ran: readonly Ran[]): void {
  const lines = readDocument(file).split('\n')
  for (const { line, text, says, said } of ran.toReversed()) {
    if (says === null || isSameText(says, said)) continue
    const from = line - 1 + text.split('\n').length
    const shown = said.trimEnd().split('\n')
    lines.splice(from, says.split('\n').length - 1, ...(said === '' ? [] : shown))
  }
  writeFileSync(join(root, file), lines.join('\n'))
}
