import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A home directory that must not come to be: who makes it meant to write into the user's own. */
export interface HomeTrap {
  /** Removes the trap and throws if a test made it. */
  check(): Promise<void>
}

/** Variables that would steer an agent or a model of the developer into a test. */
const foreign = /^(ANTHROPIC_|CLAUDE|RETAKE_|CODEX_|GEMINI_|OPENAI_)/

/**
 * Points every variable that leads to the user's home at a path below `under` where nothing is,
 * and forgets the variables of agents that run around the tests (a developer may well start them
 * from inside one). There is nothing to remove afterwards: workers are killed, not asked to leave.
 */
export function setHomeTrap(env: NodeJS.ProcessEnv, under: string): HomeTrap {
  const home = join(under, `retake-home-trap-${randomUUID()}`)
  for (const name of Object.keys(env)) if (foreign.test(name)) delete env[name]
  env['HOME'] = home
  env['USERPROFILE'] = home
  env['XDG_CONFIG_HOME'] = join(home, '.config')
  env['XDG_DATA_HOME'] = join(home, '.local/share')
  env['XDG_STATE_HOME'] = join(home, '.local/state')
  env['XDG_CACHE_HOME'] = join(home, '.cache')
  env['XDG_RUNTIME_DIR'] = join(home, 'run')
  return {
    async check() {
      const caught = await readdir(home, { recursive: true }).catch(() => undefined)
      if (caught === undefined) return
      // Removed, so that one guilty test does not make every later one fail.
      await rm(home, { recursive: true, force: true })
      throw new Error(
        `This test reached the user's home: ${['.', ...caught.toSorted()].join(', ')}. ` +
          "Give the code a scene's places.",
      )
    },
  }
}
