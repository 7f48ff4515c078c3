import { randomUUID } from 'node:crypto'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * A home directory that must never be created: code that creates it would write to the user's own.
 */
export interface HomeTrap {
  /** Removes the trap and throws if a test made it. */
  check(): Promise<void>
}

/** Variables that would let the developer's own agent or model affect a test. */
const foreign = /^(ANTHROPIC_|CLAUDE|RETAKE_|CODEX_|GEMINI_|OPENAI_)/

/**
 * Points every variable that leads to the user's home at a missing path below `under`, and removes
 * the variables of an agent around the tests (developers may run tests from inside one). It needs
 * no cleanup, because workers are killed without warning.
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
      // Removed, so that one faulty test does not fail all later ones.
      await rm(home, { recursive: true, force: true })
      throw new Error(
        `This test reached the user's home: ${['.', ...caught.toSorted()].join(', ')}. ` +
          "Give the code a scene's places.",
      )
    },
  }
}
