import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type BuildOptions, type OutputFile, type Plugin } from 'esbuild'
import { lazyBuiltins } from './lazy-builtins.ts'

/**
 * Bundles the command line of the sources in `root` as it ships: one file starts several times as
 * fast as three hundred. `dist/cli.js` contains everything. The `.cjs` scripts repeat parts of it,
 * because Node can cache more compiled code of scripts than of modules (see bin/retake.js):
 * `dist/reading.cjs` has the verbs that only read, `dist/observe.cjs` the scans for hooks,
 * `dist/command.cjs` all verbs without large packages.
 */
export async function bundle(
  root: string,
  inputs = new Set<string>(),
): Promise<readonly Pick<OutputFile, 'path' | 'contents'>[]> {
  // The scripts repeat parts of the modules, so the inputs of the modules are all inputs.
  const [modules, ...scripts] = await Promise.all([
    bundleModules(root, inputs),
    bundleScript(root, 'reading', 'src/cli/run-reading.ts'),
    bundleScript(root, 'observe', 'src/cli/run-observe.ts'),
    bundleScript(root, 'command', 'src/cli/run-command.ts'),
  ])
  return [...modules, ...scripts.flat().map(named)]
}

/** Returns the paths of the sources. */
export async function writeBundle(root: string): Promise<ReadonlySet<string>> {
  const inputs = new Set<string>()
  for (const { path, contents } of await bundle(root, inputs)) {
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, contents)
  }
  return inputs
}

const common = {
  outdir: 'dist',
  write: false,
  bundle: true,
  platform: 'node',
  target: 'node22.18',
  // Node 22 has no DisposableStack.
  inject: [fileURLToPath(new URL('./disposable-stack.ts', import.meta.url))],
  // Users install the SDK themselves: it is licensed to them, and takes a third of a gigabyte.
  external: ['@anthropic-ai/claude-agent-sdk', 'react-devtools-core'],
  // dist/LICENSES.txt has the whole texts.
  legalComments: 'none',
  // If `node_modules` is a link, comments in the bundle would name directories of this machine.
  preserveSymlinks: true,
  logLevel: 'warning',
} as const satisfies BuildOptions

async function bundleModules(root: string, inputs: Set<string>): Promise<OutputFile[]> {
  const { outputFiles, metafile } = await build({
    ...common,
    absWorkingDir: root,
    entryPoints: {
      cli: 'src/cli/main.ts',
      'scan-worker': 'src/disk/scan-worker.ts',
      'read-ahead-worker': 'src/engine/watch/read-ahead-worker.ts',
      probe: 'src/agents/claude-code/trial/probe.ts',
    },
    metafile: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    plugins: [lazyBuiltins],
    // Some CommonJS dependencies call `require`.
    banner: {
      js: "const require = process.getBuiltinModule('node:module').createRequire(import.meta.url)",
    },
    // React's development checks take half of the time to the first frame.
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  for (const output of Object.values(metafile.outputs))
    for (const path of Object.keys(output.inputs)) inputs.add(path)
  return outputFiles
}

async function bundleScript(root: string, name: string, entry: string): Promise<OutputFile[]> {
  const { outputFiles } = await build({
    ...common,
    absWorkingDir: root,
    entryPoints: { [name]: entry },
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    plugins: [withoutLarge, separateProbe, lazyBuiltins],
    // A CommonJS script has no `import.meta.url`, so bin/retake.js passes it in as `here`.
    define: { 'import.meta.url': 'here' },
  })
  return outputFiles
}

/**
 * Leaves out the large packages that single verbs import. bin/retake.js runs those verbs from
 * `dist/cli.js`.
 */
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
 * Imports the trial of unknown versions from `dist/probe.js`. Inside a script, esbuild wraps every
 * module that a dynamic import reaches, and each wrapper runs at every start.
 */
const separateProbe: Plugin = {
  name: 'separate-probe',
  setup(build) {
    build.onResolve({ filter: /^\.\/probe\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './probe.js', external: true } : undefined,
    )
  },
}

/**
 * Puts a hash of the contents into the first line. V8 accepts cached code for any script of the
 * same length, so the cache in bin/retake.js must also compare the hash.
 */
function named({ path, contents }: OutputFile): Pick<OutputFile, 'path' | 'contents'> {
  if (!path.endsWith('.cjs')) return { path, contents }
  const name = createHash('sha256').update(contents).digest('hex').slice(0, 16)
  return { path, contents: Buffer.concat([Buffer.from(`//${name}\n`), contents]) }
}
