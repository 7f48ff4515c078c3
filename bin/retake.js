#!/usr/bin/env node
// Plain JavaScript that Node 14 can parse: an older Node must reach the message below instead of
// a syntax error somewhere in the sources.
const [major, minor] = process.versions.node.split('.').map(Number)

if (major < 22 || (major === 22 && minor < 18)) {
  console.error(`Retake needs Node 22.18 or newer; this is Node ${process.versions.node}.`)
  console.error('Hint: install a current Node; in a clone run `npm ci`, then `npm start`.')
  process.exit(1)
}

// Not imported: an import statement initializes the whole module, which costs every start more than
// the rest of this file.
const fs = process.getBuiltinModule('node:fs')

// Node 22 calls node:sqlite and type stripping experimental on every start. Users can do nothing
// about that; every other warning is still shown.
process.removeAllListeners('warning')
process.on('warning', (warning) => {
  if (warning.name !== 'ExperimentalWarning') console.error(`${warning.name}: ${warning.message}`)
})

const DAY = 24 * 60 * 60 * 1000
const sources = new URL('../src/cli/main.ts', import.meta.url)
const words = process.argv.slice(2)
const verb = findVerb(words)
// Commands that load large packages, or nothing at all.
const LARGE = [undefined, 'serve', 'demo', 'tui', 'mcp', 'doctor', '--version', '-V']
const READING = ['sessions', 'log', 'show', 'tree', 'status']

if (fs.existsSync(sources)) {
  // In a clone the page is built if its sources are newer; a package contains it.
  if (verb === undefined || verb === 'serve' || verb === 'demo') {
    const { buildPage } = await import('../scripts/build-page.ts')
    await buildPage()
  }
  keepCompiledModules()
  await runModules(sources)
} else if (LARGE.includes(verb)) {
  keepCompiledModules()
  await runModules(new URL('../dist/cli.js', import.meta.url))
} else {
  const own = READING.includes(verb) ? 'reading' : verb === 'observe' ? verb : null
  const isDone = own !== null && (await runScript(own))
  if (!isDone) await runScript('command')
}

// `-C DIR` and global options may precede the command; `leading-words` parses them.
function findVerb(all) {
  let at = 0
  while (/^(?:-C|--project|--session|--json|--(?:project|session)=.*)$/.test(all[at] ?? ''))
    at += /^(?:-C|--project|--session)$/.test(all[at]) ? 2 : 1
  return all[at]
}

async function runModules(url) {
  const { main } = await import(url.href)
  await main()
}

// Caching compiled code saves a third of every start.
function findCompiled() {
  const { NODE_COMPILE_CACHE, NODE_DISABLE_COMPILE_CACHE, XDG_CACHE_HOME, HOME } = process.env
  if (NODE_DISABLE_COMPILE_CACHE) return null
  if (NODE_COMPILE_CACHE) return NODE_COMPILE_CACHE
  const caches = XDG_CACHE_HOME || `${HOME}/.cache`
  return caches.startsWith('/') ? `${caches}/retake/compiled` : null
}

function keepCompiledModules() {
  const directory = findCompiled()
  if (directory) process.getBuiltinModule('node:module').enableCompileCache(directory)
}

// For modules, Node caches code as compiled before they ran, with hardly any function. For a
// script, everything that the command used can be cached, so the next start compiles nothing.
async function runScript(name) {
  const url = new URL(`../dist/${name}.cjs`, import.meta.url)
  const vm = process.getBuiltinModule('node:vm')
  const source = fs.readFileSync(url, 'latin1')
  const kept = findKept(name, source.slice(2, source.indexOf('\n')))
  const cachedData = kept === null ? undefined : readKept(kept.path)
  const script = new vm.Script(`(function (module, require, here) {${source}\n})`, {
    filename: url.href,
    cachedData,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  const module = {}
  script.runInThisContext()(module, (name) => process.getBuiltinModule(name), url.href)
  const isDone = await module.exports.run(words)
  const isKept = cachedData !== undefined && !script.cachedDataRejected
  if (isDone && kept !== null && !isKept)
    process.once('exit', (code) => {
      // A failed run did not load what other runs need.
      if (code === 0) keep(kept, script.createCachedData())
    })
  return isDone
}

function findKept(script, contents) {
  const all = findCompiled()
  if (all === null) return null
  const directory = `${all}/retake-${contents}-${process.version}-${process.arch}`
  return { all, directory, path: `${directory}/${script}-${verb.replace(/[^a-z]/g, '')}` }
}

// Undefined without a valid cache: V8 would run damaged code. A cache expires after a day, because
// the run that made it may have loaded little.
function readKept(path) {
  try {
    if (Date.now() - fs.statSync(path).mtimeMs > DAY) return undefined
    const bytes = fs.readFileSync(path)
    const compiled = bytes.subarray(0, -4)
    const { crc32 } = process.getBuiltinModule('node:zlib')
    return crc32(compiled) === bytes.readUInt32LE(compiled.length) ? compiled : undefined
  } catch {
    return undefined
  }
}

// If the home is not writable, starts are slower and nothing else.
function keep({ all, directory, path }, compiled) {
  const { crc32 } = process.getBuiltinModule('node:zlib')
  const sum = Buffer.alloc(4)
  sum.writeUInt32LE(crc32(compiled))
  try {
    if (fs.mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined)
      removeOld(all, directory)
    const draft = `${path}.${process.pid}`
    fs.writeFileSync(draft, Buffer.concat([compiled, sum]), { mode: 0o600 })
    fs.renameSync(draft, path)
  } catch {}
}

// Removes caches of other versions that are unused for a month.
function removeOld(all, kept) {
  for (const name of fs.readdirSync(all)) {
    const other = `${all}/${name}`
    if (!name.startsWith('retake-') || other === kept) continue
    if (Date.now() - fs.statSync(other).mtimeMs > 30 * DAY) fs.rmSync(other, { recursive: true })
  }
}
