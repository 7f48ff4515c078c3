/** Bundles into dist/: the command line, as one file starts several times as fast as fifty, and the page. */
import { rm } from 'node:fs/promises'
import { build } from 'esbuild'
import { buildPage } from './build-page.ts'

await rm('dist', { recursive: true, force: true })
await build({
  entryPoints: { cli: 'src/cli/main.ts', 'scan-worker': 'src/disk/scan-worker.ts' },
  outdir: 'dist',
  bundle: true,
  splitting: true,
  chunkNames: 'chunks/[name]-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node22.18',
  // A few dependencies are CommonJS and call require.
  banner: {
    js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
  },
  // Licensed to its users, and a third of a gigabyte: they bring it themselves.
  external: ['@anthropic-ai/claude-agent-sdk', 'react-devtools-core'],
  // React checks everything it is given unless it is told not to: half of the first frame's time.
  define: { 'process.env.NODE_ENV': '"production"' },
  legalComments: 'linked',
  logLevel: 'warning',
})
await buildPage()
