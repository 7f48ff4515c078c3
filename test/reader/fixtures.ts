import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  existsSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../fixtures/claude-code/2.1.325', import.meta.url))

/** The recorded sessions, by folder name. */
export const fixtures = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .toSorted()

/** A recorded session as an agent's directory, removed on dispose. */
export function openFixture(name: string): Disposable & { readonly config: string } {
  const config = mkdtempSync(join(tmpdir(), 'retake-fixture-'))
  mkdirSync(join(config, 'sessions'))
  for (const [from, to] of [
    ['claude-projects', 'projects'],
    ['file-history', 'file-history'],
  ]) {
    const path = join(root, name, from!)
    if (existsSync(path)) cpSync(path, join(config, to!), { recursive: true })
  }
  return { config, [Symbol.dispose]: () => rmSync(config, { recursive: true }) }
}

/** What the real agent sent when it resumed: the first 120 characters of each user text. */
export function sentOnResume(name: string, session: string): string[] {
  const expected = JSON.parse(readFileSync(join(root, 'expected.json'), 'utf8')) as Record<
    string,
    { userTextsSentOnResume: string[] }
  >
  return expected[`${name}/${session}.jsonl`]!.userTextsSentOnResume
}
