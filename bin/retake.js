#!/usr/bin/env node
// Plain JavaScript that Node 14 can parse: an older Node must reach the message below instead of
// a syntax error somewhere in the sources.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Retake needs Node 22.18 or newer; this is Node ${process.versions.node}.`)
  console.error('Hint: install a current Node; in a clone run `npm ci`, then `npm start`.')
  process.exit(1)
}

// Not imported: an import statement prepares all that a module can do, and costs every start more
// than the rest of this file.
const { existsSync } = process.getBuiltinModule('node:fs')
const { enableCompileCache } = process.getBuiltinModule('node:module')

// Node 22 calls node:sqlite and type stripping experimental on every start. Users can do nothing
// about that; every other warning is still shown.
process.removeAllListeners('warning')
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') console.error(`${warning.name}: ${warning.message}`)
})

// What Node compiled once need not be compiled again: a third of every start.
const caches = process.env.XDG_CACHE_HOME || `${process.env.HOME}/.cache`
if (caches.startsWith('/')) enableCompileCache(`${caches}/retake/compiled`)

const sources = new URL('../src/cli/main.ts', import.meta.url)
const built = new URL('../dist/cli.js', import.meta.url)
const isClone = existsSync(sources)
// In a clone the page is built when it is older than its sources; a package brings it built.
const [verb] = process.argv.slice(2)
if (isClone && (verb === undefined || verb === 'serve' || verb === 'demo')) {
  const { buildPage } = await import('../scripts/build-page.ts')
  await buildPage()
}
const { main } = await import(isClone ? sources.href : built.href)
await main()
