/**
 * `PLATFORM=darwin` runs the tests, and the command lines that they start, as if on another system.
 * File systems and the kernel stay this machine's, but Retake does not see /proc. Programs stay too,
 * so where they say the same in other words, this translates.
 */
import * as fs from 'node:fs'

const wanted = process.env['PLATFORM']

/** The machine's own. */
export const REAL_PLATFORM = process.platform

export const isPretending = wanted !== undefined && wanted !== REAL_PLATFORM

const sight = globalThis as { seesProc?: boolean }

/** Calls that see /proc, for what tests themselves ask about processes. */
function seeing<A extends unknown[], R>(call: (...given: A) => R): (...given: A) => R {
  return (...given) => {
    sight.seesProc = true
    try {
      return call(...given)
    } finally {
      sight.seesProc = false
    }
  }
}

export const existsSync = seeing((path: string) => fs.existsSync(path))
export const readProcFile = seeing((path: string) => fs.readFileSync(path, 'latin1'))
export const readdirSync = seeing((path: string) => fs.readdirSync(path))
export const readlinkSync = seeing((path: string) => fs.readlinkSync(path))

/** Also runs as text in command lines, so it uses nothing from outside. */
function pretend(to: string): void {
  const real = process.platform
  if (to === real) return
  Object.defineProperty(process, 'platform', { value: to })

  // Packages with programs come for one platform, and only this machine's are installed.
  const modules = process.getBuiltinModule('node:module') as unknown as {
    [resolver: string]: (request: string, ...rest: unknown[]) => string
  }
  const resolve = modules['_resolveFilename']!.bind(modules)
  modules['_resolveFilename'] = (request, ...rest) => {
    const [theirs, ours] = [`${to}-${process.arch}`, `${real}-${process.arch}`]
    if (!request.includes(theirs)) return resolve(request, ...rest)
    try {
      return resolve(request.replace(theirs, ours), ...rest)
    } catch {
      return resolve(request.replace(theirs, `${ours}-gnu`), ...rest)
    }
  }

  // Its program is a Mac's. One that fails makes Retake watch with Node.
  const failing = () => {
    throw new Error('no FSEvents here')
  }
  const load = modules['_load']!.bind(modules) as (request: string, ...rest: unknown[]) => unknown
  const isTheirs = (request: string): boolean => to === 'darwin' && request === 'fsevents'
  Object.assign(modules, {
    _load: (request: string, ...rest: unknown[]): unknown =>
      isTheirs(request) ? { watch: failing } : load(request, ...rest),
  })

  const children = process.getBuiltinModule('node:child_process')
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { spawnSync } = children
  /** Claude Code records when it started: in the words of `ps` on macOS, in ticks on Linux. */
  const seen = globalThis as { seesProc?: boolean }
  const startOf = (line: string, pid: string): string => {
    seen.seesProc = true
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
    } catch {
      return line
    } finally {
      seen.seesProc = false
    }
  }
  const spawnAsThere = (program: string, args: string[], options: object) => {
    const result = spawnSync(program, args, options)
    const said = String(result.stdout ?? '')
    if (program === 'mount')
      return { ...result, stdout: said.replaceAll(/ type \S+ \(.*/gu, ' (apfs, local)') }
    if (program !== 'ps' || args[1] !== 'pid=,lstart=') return result
    return { ...result, stdout: said.replaceAll(/^\s*(\d+) .*$/gmu, startOf) }
  }
  Object.assign(children, { spawnSync: spawnAsThere })

  const files = process.getBuiltinModule('node:fs') as unknown as {
    [call: string]: (path: unknown, ...rest: unknown[]) => unknown
  }
  const hidden = (call: string) => {
    const there = files[call]!
    return (path: unknown, ...rest: unknown[]): unknown => {
      const at = typeof path === 'string' || Buffer.isBuffer(path) ? String(path) : ''
      if (seen.seesProc === true || !/^\/proc(?:\/|$)/u.test(at)) return there(path, ...rest)
      if (call === 'existsSync') return false
      const [options] = rest as [{ throwIfNoEntry?: boolean }?]
      if (options?.throwIfNoEntry === false) return undefined
      throw Object.assign(new Error(`ENOENT: no such file or directory, ${call} '${at}'`), { code: 'ENOENT' }) // prettier-ignore
    }
  }
  const calls = ['accessSync', 'existsSync', 'lstatSync', 'openSync', 'opendirSync', 'readFileSync']
  for (const call of [...calls, 'readdirSync', 'readlinkSync', 'statSync'])
    files[call] = hidden(call)
  process.getBuiltinModule('node:module').syncBuiltinESMExports()
}

export function pretendPlatform(): void {
  if (wanted !== undefined) pretend(wanted)
}

const code = `(${pretend.toString()})(${JSON.stringify(wanted)})`

/** Node's options for command lines. */
export const PRETENDING: Readonly<Record<string, string>> =
  wanted === undefined
    ? {}
    : { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
