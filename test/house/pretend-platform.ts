/**
 * `PLATFORM=darwin` runs the tests, and the command lines that they start, as if on another system.
 * File systems and the kernel stay this machine's. Programs do too, so where they say the same in
 * other words, this translates.
 */
const wanted = process.env['PLATFORM']

/** The machine's own. */
export const REAL_PLATFORM = process.platform

export const isPretending = wanted !== undefined && wanted !== REAL_PLATFORM

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

  const children = process.getBuiltinModule('node:child_process')
  const { readFileSync } = process.getBuiltinModule('node:fs')
  const { spawnSync } = children
  /** Claude Code records when it started: in the words of `ps` on macOS, in ticks on Linux. */
  const startOf = (line: string, pid: string): string => {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
      return `${pid} ${stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]}`
    } catch {
      return line
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
