import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, nulls, split, type Peer } from './git.ts'

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
    const file = await git(
      ['rev-parse', '--path-format=absolute', '--git-path', 'info/exclude'],
      at,
    )
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
      const paths = [...new Set([...split(changed), ...split(others)])]
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
      return git([...own, 'write-tree'], at)
    },
    async restore(id) {
      await git([...core, ...own, 'read-tree', id], at)
      await git([...core, ...own, 'checkout-index', '-a', '-f'], at)
    },
  }
}
