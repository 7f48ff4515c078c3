import { builtinModules } from 'node:module'
import type { Plugin } from 'esbuild'

const NAMES = new Set(builtinModules.map((name) => name.replace(/^node:/, '')))

/**
 * Modules of Node are loaded when something of them is first used. An import statement would load
 * them at every start, and prepare all that they can do: a quarter of the time that a command has.
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
 * What the bundler makes of `import { a } from` a module is a look at a property of an object with
 * the same prototype. Found once, a property is kept in that object.
 */
function contentsOf(name: string): string {
  const load = `process.getBuiltinModule('node:${name}')`
  // A module that is itself a function, or that is there anyway, cannot be stood in for.
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
