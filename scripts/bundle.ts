import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { build, type BuildOptions, type OutputFile, type Plugin } from 'esbuild'
import { lazyBuiltins } from './lazy-builtins.ts'

/**
 * The command line of the sources in `root`, as it ships: one file starts several times as fast as
 * three hundred. `dist/cli.js` has everything in it. The same once more as scripts, of which more
 * can be kept compiled than of modules (see bin/retake.js): `dist/reading.cjs` for the verbs that
 * only read, `dist/observe.cjs` for the looks of hooks, `dist/command.cjs` for all that bring no
 * large package with them.
 */
export async function bundle(
  root: string,
): Promise<readonly Pick<OutputFile, 'path' | 'contents'>[]> {
  const [modules, ...scripts] = await Promise.all([
    bundleModules(root),
    bundleScript(root, 'reading', 'src/cli/run-reading.ts'),
    bundleScript(root, 'observe', 'src/cli/run-observe.ts'),
    bundleScript(root, 'command', 'src/cli/run-command.ts'),
  ])
  return [...modules, ...scripts.flat().map(named)]
}

export async function writeBundle(root: string): Promise<void> {
  for (const { path, contents } of await bundle(root)) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, contents)
  }
}

const common = {
  outdir: 'dist',
  write: false,
  bundle: true,
  platform: 'node',
  target: 'node22.18',
  // Licensed to its users, and a third of a gigabyte: they bring it themselves.
  external: ['@anthropic-ai/claude-agent-sdk', 'react-devtools-core'],
  legalComments: 'linked',
  logLevel: 'warning',
} as const satisfies BuildOptions

async function bundleModules(root: string): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    ...common,
    absWorkingDir: root,
    entryPoints: {
      cli: 'src/cli/main.ts',
      'scan-worker': 'src/disk/scan-worker.ts',
      'read-ahead-worker': 'src/engine/watch/read-ahead-worker.ts',
    },
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    plugins: [lazyBuiltins],
    // A few dependencies are CommonJS and call require.
    banner: {
      js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)",
    },
    // React checks everything it is given unless it is told not to: half of the first frame's time.
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return outputFiles
}

async function bundleScript(root: string, name: string, entry: string): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    ...common,
    absWorkingDir: root,
    entryPoints: { [name]: entry },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    plugins: [withoutLarge, lazyBuiltins],
    // A script does not know where it stands; who runs it tells.
    define: { 'import.meta.url': 'here' },
  })
  return outputFiles
}

/** What verbs load that none of the others needs. Who starts the script knows which verbs they are. */
const withoutLarge: Plugin = {
  name: 'without-large',
  setup(build) {
    build.onResolve({ filter: /.*/ }, ({ path, kind, importer }) => {
      if (kind !== 'dynamic-import' || !importer.endsWith('-verbs.ts')) return undefined
      return path === './implementations.ts'
        ? undefined
        : { path: `retake:${path}`, external: true }
    })
  },
}

/**
 * The first line says what is in it. V8 takes what it compiled of one script for that of any other
 * of the same length, so whoever keeps that has to compare more.
 */
function named({ path, contents }: OutputFile): Pick<OutputFile, 'path' | 'contents'> {
  if (!path.endsWith('.cjs')) return { path, contents }
  const name = createHash('sha256').update(contents).digest('hex').slice(0, 16)
  return { path, contents: Buffer.concat([Buffer.from(`//${name}\n`), contents]) }
}
