import { copyFileSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { git, nulls, split, type Peer } from './git.ts'

/** Cline since 2026, `hooks/checkpoint-hooks.ts`: a hidden stash in the user's repository. */
export function clineSdk(repo: string, store: string): Peer {
  const at = { cwd: repo }
  let number = 0
  return {
    async snapshot() {
      number += 1
      const made = await git(['stash', 'create', `cline checkpoint run=${number}`], at)
      const untracked = split(await git(['ls-files', '--others', '--exclude-standard', '-z'], at))
      if (untracked.length > 0) {
        const scratch = mkdtempSync(join(store, 'cline-'))
        const list = join(scratch, 'paths')
        writeFileSync(list, nulls(untracked))
        const own = { cwd: repo, env: { GIT_INDEX_FILE: join(scratch, 'index') } }
        await git(['add', '--force', '--pathspec-from-file', list, '--pathspec-file-nul'], own)
        const tree = await git(['write-tree'], own)
        await git(['commit-tree', tree, '-m', 'untracked'], own)
        rmSync(scratch, { recursive: true })
      }
      if (made === '') return git(['rev-parse', 'HEAD'], at)
      await git(['update-ref', `refs/cline/checkpoints/bench/${number}`, made], at)
      return made
    },
  }
}

/** Claude Code copies the file that its own tool is about to edit, and reads no other. */
export function claudeCopy(repo: string, store: string, paths: () => readonly string[]): Peer {
  const directory = join(store, 'claude')
  mkdirSync(directory, { recursive: true })
  let version = 0
  return {
    async snapshot() {
      version += 1
      for (const [n, path] of paths().entries()) {
        statSync(join(repo, path))
        copyFileSync(join(repo, path), join(directory, `${n}-${basename(path)}@v${version}`))
      }
      return `v${version}`
    },
  }
}

/** Git at its best: it gets the changed paths and reads nothing else. */
export function gitWithPaths(repo: string, store: string, paths: () => readonly string[]): Peer {
  const index = join(store, 'given-index')
  const env = {
    GIT_INDEX_FILE: index,
    GIT_OBJECT_DIRECTORY: join(store, 'given-objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: join(repo, '.git/objects'),
  }
  mkdirSync(env.GIT_OBJECT_DIRECTORY, { recursive: true })
  copyFileSync(join(repo, '.git/index'), index)
  return {
    async snapshot() {
      const input = nulls(paths())
      await git(['update-index', '-z', '--add', '--remove', '--stdin'], { cwd: repo, env, input })
      return git(['write-tree'], { cwd: repo, env })
    },
  }
}

/** The usual command to see what changed; the reference for a first snapshot. */
export function gitStatus(repo: string): Peer {
  return { snapshot: () => git(['status', '--porcelain'], { cwd: repo }) }
}
