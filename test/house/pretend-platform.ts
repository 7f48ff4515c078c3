/**
 * `PLATFORM=darwin` runs the tests, and the command lines that they start, as if on another system.
 * File systems, programs and the kernel stay this machine's.
 */
const wanted = process.env['PLATFORM']

/** The machine's own. */
export const REAL_PLATFORM = process.platform

const code = `Object.defineProperty(process, 'platform', { value: '${wanted}' })`

export function pretendPlatform(): void {
  if (wanted !== undefined) Object.defineProperty(process, 'platform', { value: wanted })
}

/** Node's options for command lines. */
export const PRETENDING: Readonly<Record<string, string>> =
  wanted === undefined
    ? {}
    : { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}` }
