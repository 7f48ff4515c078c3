import { spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gitEnvironment } from './snapshots-tree.ts'

/** How another tool takes a snapshot: the very commands it runs, in its order. */
export interface Peer {
  readonly snapshot: () => Promise<void>
}

interface GitOptions {
  readonly cwd: string
  readonly input?: string
  readonly env?: Readonly<Record<string, string>>
  /** `check-ignore` answers "none" by its exit code. */
  readonly mayFail?: boolean
}

function git(args: readonly string[], options: GitOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('git', args, {
      cwd: options.cwd,
      env: { ...gitEnvironment, ...options.env },
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    const parts: Buffer[] = []
    const errors: Buffer[] = []
    child.stdout!.on('data', (part: Buffer) => parts.push(part))
    child.stderr!.on('data', (part: Buffer) => errors.push(part))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0 || options.mayFail === true) resolve(Buffer.concat(parts).toString())
      else reject(new Error(`git ${args.join(' ')}: ${Buffer.concat(errors).toString()}`))
    })
    child.stdin?.end(options.input)
  })
}

const nulls = (paths: readonly string[]): string => paths.map((path) => `${path}\0`).join('')

const OTHERS = 'ls-files --full-name --others --exclude-standard -z -- .'.split(' ')
const ADD = 'add --all --sparse --pathspec-from-file=- --pathspec-file-nul'.split(' ')

/** opencode 1.18, `snapshot/index.ts`, `track()`: a private git directory beside the user's. */
export async function opencode(repo: string, store: string): Promise<Peer> {
  const directory = join(store, 'opencode')
  const core = ['-c', 'core.longpaths=true', '-c', 'core.symlinks=true']
  const settings = ['-c', 'core.autocrlf=false', ...core]
  const quoted = [...settings, '-c', 'core.quotepath=false']
  const own = ['--git-dir', directory, '--work-tree', repo]
  const at = { cwd: repo }
  const exclude = async (): Promise<void> => {
    const answer = await git(
      ['rev-parse', '--path-format=absolute', '--git-path', 'info/exclude'],
      at,
    )
    const file = answer.trim()
    const text = existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : ''
    mkdirSync(join(directory, 'info'), { recursive: true })
    writeFileSync(join(directory, 'info/exclude'), text === '' ? '' : `${text}\n`)
  }
  mkdirSync(directory, { recursive: true })
  await git(['init'], { cwd: repo, env: { GIT_DIR: directory, GIT_WORK_TREE: repo } })
  for (const [key, value] of Object.entries({
    'core.autocrlf': 'false',
    'core.longpaths': 'true',
    'core.symlinks': 'true',
    'core.fsmonitor': 'false',
    'feature.manyFiles': 'true',
    'index.version': '4',
    'index.threads': 'true',
    'core.untrackedCache': 'true',
  }))
    await git(['--git-dir', directory, 'config', key, value], at)
  mkdirSync(join(directory, 'objects/info'), { recursive: true })
  writeFileSync(join(directory, 'objects/info/alternates'), `${repo}/.git/objects\n`)
  copyFileSync(join(repo, '.git/index'), join(directory, 'index'))
  return {
    async snapshot() {
      await exclude()
      const [changed, others] = await Promise.all([
        git([...quoted, ...own, 'diff-files', '--name-only', '-z', '--', '.'], at),
        git([...quoted, ...own, ...OTHERS], at),
      ])
      const paths = [...new Set(`${changed}${others}`.split('\0').filter(Boolean))]
      if (paths.length > 0) {
        const user = ['--git-dir', join(repo, '.git'), '--work-tree', repo]
        await git([...quoted, ...user, 'check-ignore', '--no-index', '--stdin', '-z'], {
          cwd: repo,
          input: nulls(paths),
          mayFail: true,
        })
        for (const path of paths) statSync(join(repo, path), { throwIfNoEntry: false })
        await exclude()
        await git([...settings, ...own, ...ADD], {
          cwd: repo,
          input: nulls(paths.map((path) => `:(top,literal)${path}`)),
        })
      }
      await git([...own, 'write-tree'], at)
    },
  }
}

/** The first opencode, and what most home-made checkpoints do. */
export async function plainGit(repo: string, store: string): Promise<Peer> {
  const directory = join(store, 'plain')
  const own = ['--git-dir', directory, '--work-tree', repo]
  mkdirSync(directory, { recursive: true })
  await git(['init'], { cwd: repo, env: { GIT_DIR: directory, GIT_WORK_TREE: repo } })
  return {
    async snapshot() {
      await git([...own, 'add', '.'], { cwd: repo })
      await git([...own, 'write-tree'], { cwd: repo })
    },
  }
}

/** Git at its best: it is told which paths changed and looks at nothing else. */
export function toldGit(repo: string, store: string, paths: () => readonly string[]): Peer {
  const index = join(store, 'told-index')
  const env = { GIT_INDEX_FILE: index, GIT_OBJECT_DIRECTORY: join(store, 'told-objects') }
  const alternates = { GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repo, '.git/objects') }
  mkdirSync(join(store, 'told-objects'), { recursive: true })
  copyFileSync(join(repo, '.git/index'), index)
  return {
    async snapshot() {
      const options = { cwd: repo, env: { ...env, ...alternates } }
      await git(['update-index', '-z', '--add', '--remove', '--stdin'], {
        ...options,
        input: nulls(paths()),
      })
      await git(['write-tree'], options)
    },
  }
}

/** What everybody runs to see what changed; the measure of a first snapshot. */
export function gitStatus(repo: string): Peer {
  return { snapshot: async () => void (await git(['status', '--porcelain'], { cwd: repo })) }
}
