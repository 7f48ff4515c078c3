import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** Only what git needs, so that the developer's settings change no figure. */
export const gitEnvironment: Readonly<Record<string, string>> = {
  PATH: process.env['PATH'] ?? '',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_AUTHOR_NAME: 'bench',
  GIT_AUTHOR_EMAIL: 'bench@example.invalid',
  GIT_COMMITTER_NAME: 'bench',
  GIT_COMMITTER_EMAIL: 'bench@example.invalid',
}

const WORDS =
  'const let function return import export await async class type string number if else for while map'.split(
    ' ',
  )
const PER_DIRECTORY = 9
const MAX_IGNORED = 40_000

/** The committed tree of this size, created once for all benches of a run. */
export function takeRepository(count: number): { repo: string; paths: string[] } {
  const repo = join(realpathSync(tmpdir()), `tree-${count}`)
  if (!existsSync(join(repo, '.git/whole'))) {
    mkdirSync(repo)
    writeRepository(repo, count)
    writeFileSync(join(repo, '.git/whole'), '')
  } else gitIn(repo, 'reset', '--quiet', '--hard')
  return { repo, paths: pathsOf(count) }
}

function gitIn(repo: string, ...args: string[]): void {
  execFileSync('git', args, { cwd: repo, env: gitEnvironment })
}

function pathsOf(count: number): string[] {
  const perPackage = Math.max(50, Math.min(1000, count / 10))
  return Array.from({ length: count }, (_, n) => {
    const inPackage = n % perPackage
    const d = Math.floor(inPackage / PER_DIRECTORY)
    const below = d % 4 === 0 ? `m${d}` : `m${d - (d % 4)}/s${d % 4}`
    return `packages/pkg${Math.floor(n / perPackage)}/src/${below}/file${inPackage}.ts`
  })
}

/**
 * A repository like a monorepo: packages of small files, nine per directory, three to six deep, all
 * committed and packed, with an ignored node_modules half its size. Returns the tracked paths.
 */
export function writeRepository(root: string, count: number): string[] {
  let seed = 42
  const random = (): number => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fff_ffff
    return seed / 0x7fff_ffff
  }
  const body = (n: number): string => {
    const size = Math.floor(300 * Math.exp(random() * 3.2))
    let text = `// file ${n}\n`
    while (text.length < size) {
      for (let word = 0; word < 8; word += 1)
        text += `${WORDS[Math.floor(random() * WORDS.length)]!} `
      text += '\n'
    }
    return text
  }
  const made = new Set<string>()
  const put = (path: string, text: string): void => {
    const directory = dirname(join(root, path))
    if (!made.has(directory)) mkdirSync(directory, { recursive: true })
    made.add(directory)
    writeFileSync(join(root, path), text)
  }
  put('.gitignore', 'node_modules/\ndist/\n*.log\n.env\ncoverage/\n')
  const paths = pathsOf(count)
  for (const [n, path] of paths.entries()) put(path, body(n))
  for (let n = 0; n < Math.min(count / 2, MAX_IGNORED); n += 1)
    put(`node_modules/dep${Math.floor(n / 40)}/lib/f${n}.js`, body(n).slice(0, 900))
  gitIn(root, 'init', '--quiet')
  gitIn(root, 'config', 'gc.auto', '0')
  // Straight into a pack: one file per object would be written and removed right away.
  gitIn(root, '-c', 'core.bigFileThreshold=1', 'add', '.')
  gitIn(root, 'commit', '--quiet', '-m', 'base')
  gitIn(root, 'repack', '-adq')
  return paths
}

let edits = 0

/** Writes new bytes to some files, different each time. */
export function edit(root: string, paths: readonly string[]): void {
  edits += 1
  const text = `// edit ${edits} of ${process.pid}\n${'const value = await handler(request);\n'.repeat(60)}`
  for (const path of paths) writeFileSync(join(root, path), text)
}
