/** Programs with their own repository, whose work tree is the user's. */
import { copyFileSync, mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { git, split, type GitOptions, type Peer } from './git.ts'

/**
 * A repository that has the tree once. It borrows objects from the user's repository, so that the
 * first snapshot, which is not measured here, need not write all of them again.
 */
async function seed(
  repo: string,
  directory: string,
  exclude: string,
): Promise<Readonly<Record<string, string>>> {
  const env = { GIT_DIR: join(directory, '.git'), GIT_WORK_TREE: repo }
  mkdirSync(directory, { recursive: true })
  await git(['init', '--quiet'], { cwd: repo, env })
  for (const [key, value] of Object.entries({
    'core.worktree': repo,
    'commit.gpgSign': 'false',
    'user.name': 'bench',
    'user.email': 'bench@example.invalid',
  }))
    await git(['config', key, value], { cwd: repo, env })
  for (const name of ['objects/info', 'info'])
    mkdirSync(join(env.GIT_DIR, name), { recursive: true })
  writeFileSync(join(env.GIT_DIR, 'objects/info/alternates'), `${repo}/.git/objects\n`)
  writeFileSync(join(env.GIT_DIR, 'info/exclude'), exclude)
  copyFileSync(join(repo, '.git/index'), join(env.GIT_DIR, 'index'))
  await git(['commit', '--quiet', '--allow-empty', '-m', 'first'], { cwd: repo, env })
  return env
}

/** The first opencode, and most home-made checkpoints. */
export async function plainGit(repo: string, store: string): Promise<Peer> {
  const { GIT_DIR } = await seed(repo, join(store, 'plain'), '')
  const own = ['--git-dir', GIT_DIR!, '--work-tree', repo]
  return {
    async snapshot() {
      await git([...own, 'add', '.'], { cwd: repo })
      return git([...own, 'write-tree'], { cwd: repo })
    },
    async restore(id) {
      await git([...own, 'read-tree', id], { cwd: repo })
      await git([...own, 'checkout-index', '-a', '-f'], { cwd: repo })
    },
  }
}

/** As simple-git does it: asks for the full commit name and parses the output. */
async function commit(args: readonly string[], at: GitOptions): Promise<string> {
  const said = await git(['-c', 'core.abbrev=40', 'commit', '-m', 'snapshot', ...args], at)
  return /\b[0-9a-f]{40}\b/.exec(said)![0]
}

/** Gemini CLI, `services/gitService.ts`. */
export async function gemini(repo: string, store: string): Promise<Peer> {
  const env = await seed(repo, join(store, 'gemini'), '')
  const at = { cwd: repo, env }
  return {
    async snapshot() {
      await git(['add', '.'], at)
      const status = await git(['status', '--porcelain', '-b', '-u', '--null'], at)
      const isClean = split(status).every((line) => line.startsWith('##'))
      return isClean ? git(['rev-parse', 'HEAD'], at) : commit(['--no-verify'], at)
    },
    async restore(id) {
      await git(['restore', '--source', id, '.'], at)
      await git(['clean', '-f', '-d'], at)
    },
  }
}

/** Roo Code, `checkpoints/ShadowCheckpointService.ts`. */
export async function roo(repo: string, store: string): Promise<Peer> {
  const directory = join(store, 'roo')
  await seed(repo, directory, EXCLUDED)
  const at = { cwd: directory }
  return {
    async snapshot() {
      await git(['add', '.', '--ignore-errors'], at)
      return commit(['--allow-empty'], at)
    },
    async restore(id) {
      await git(['clean', '-f', '-d', '-f'], at)
      await git(['reset', '--hard', id], at)
    },
  }
}

/** Cline until May 2026, `integrations/checkpoints`: hides nested repositories while it adds. */
export async function cline(repo: string, store: string): Promise<Peer> {
  const directory = join(store, 'cline')
  await seed(repo, directory, EXCLUDED)
  const at = { cwd: directory }
  return {
    async snapshot() {
      for (const path of nested(repo, '.git')) renameSync(path, `${path}_disabled`)
      try {
        await git(['add', '.', '--ignore-errors'], at)
      } finally {
        for (const path of nested(repo, '.git_disabled'))
          renameSync(path, path.slice(0, -'_disabled'.length))
      }
      return commit(['--allow-empty', '--no-verify'], at)
    },
    restore: async (id) => void (await git(['reset', '--hard', id], at)),
  }
}

/** It uses globby; this is Node's fastest walk with the same result. */
function nested(repo: string, name: string): string[] {
  const found: string[] = []
  const walk = (directory: string, isTop: boolean): void => {
    for (const entry of readdirSync(directory, { withFileTypes: true })) {
      if (!entry.isDirectory() || (isTop && entry.name === '.git')) continue
      const path = join(directory, entry.name)
      if (entry.name === name) found.push(path)
      walk(path, false)
    }
  }
  walk(repo, true)
  return found
}

/** As many patterns as Cline and Roo Code exclude by default, of the same kinds. */
const EXCLUDED = [
  ...'.git node_modules __pycache__ env venv dist out bundle vendor tmp temp deps pkg Pods'
    .split(' ')
    .map((name) => `${name}/`),
  '.DS_Store',
  '.env*',
  '*.local',
  ...(
    'jpg jpeg png gif bmp ico webp tiff tif raw heic avif eps psd 3gp aac aiff asf avi divx flac ' +
    'm4a m4v mkv mov mp3 mp4 mpeg mpg ogg opus rm rmvb vob wav webm wma wmv cache swp swo pyc pyo ' +
    'class o obj zip tar gz rar 7z iso bin exe dll so dylib dat dmg msi arrow accdb aof avro bak ' +
    'bson csv db dbf dmp frm ibd mdb myd myi orc parquet pdb rdb sql sqlite shp shx dbx gdb gpkg ' +
    'kml kmz las log npy npz onnx pt pth h5 hdf5 ckpt safetensors gguf pkl model tflite wasm ttf ' +
    'otf woff woff2 eot blend fbx glb gltf stl usd usdz max ma mb'
  )
    .split(' ')
    .map((ending) => `*.${ending}`),
]
  .map((pattern) => `${pattern}\n`)
  .join('')
