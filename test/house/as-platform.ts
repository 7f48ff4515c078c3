/**
 * Runs code that believes to be on another system. It reaches only what asks `process.platform`
 * while it runs: file systems, programs and the kernel stay this machine's.
 */
export async function asPlatform<T>(
  platform: NodeJS.Platform,
  use: () => T | Promise<T>,
): Promise<T> {
  const real = Object.getOwnPropertyDescriptor(process, 'platform')!
  Object.defineProperty(process, 'platform', { ...real, value: platform })
  try {
    return await use()
  } finally {
    Object.defineProperty(process, 'platform', real)
  }
}
