import { createRequire } from 'node:module'
import { REAL_PLATFORM } from '../house/pretend-platform.ts'

/**
 * The Claude Code that comes with the Agent SDK, so that everyone tests the version in the lockfile
 * and not the one that happens to be installed. `npm run test:versions` passes others.
 */
export function findClaudeBinary(): string {
  const other = process.env['TEST_CLAUDE']
  if (other !== undefined) return other
  const name = `@anthropic-ai/claude-agent-sdk-${REAL_PLATFORM}-${process.arch}`
  const requireFromSdk = createRequire(
    createRequire(import.meta.url).resolve('@anthropic-ai/claude-agent-sdk'),
  )
  try {
    return requireFromSdk.resolve(`${name}/claude`)
  } catch (cause) {
    throw new Error(
      `The real agent is needed for this test, and ${name} is not installed. ` +
        'Run `npm ci` without `--omit=optional`; musl and Windows are not supported here.',
      { cause },
    )
  }
}
