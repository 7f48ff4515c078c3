import { builtinModules } from 'node:module'
import type { Plugin } from 'esbuild'

const NAMES = new Set(builtinModules.map((name) => name.replace(/^node:/, '')))

/**
 * Loads Node's built-in modules on first use. An import statement would load and initialize them at
 * every start, which takes a quarter of a command's time.
 */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  setup(build) {
    build.onResolve({ filter: /^[a-z]/ }, ({ path, kind }) => {
      const name = path.replace(/^node:/, '')
      const isBuiltin = path.startsWith('node:') || NAMES.has(name)
      if (kind !== 'import-statement' || !isBuiltin) return undefined
      return { path: name, namespace: 'node', sideEffects: false }
    })
    build.onLoad({ filter: /.*/, namespace: 'node' }, ({ path }) => ({
      contents: contentsOf(path),
    }))
  },
}

/**
 * esbuild turns `import { a }` into a property read on an object that has the module's prototype,
 * here a Proxy. The first read stores the value on that object.
 */
function contentsOf(name: string): string {
  const load = `process.getBuiltinModule('node:${name}')`
  // A Proxy cannot stand in for a module that is a function, and `process` is always loaded.
  const isPlain = typeof process.getBuiltinModule(`node:${name}`) === 'object'
  if (!isPlain || name === 'process') return `module.exports = ${load}`
  return `module.exports = Object.create(new Proxy({}, {
  get(_, name, receiver) {
    if (name === '__esModule') return undefined
    const value = ${load}[name]
    Object.defineProperty(receiver, name, { value })
    return value
  },
}))`
}
