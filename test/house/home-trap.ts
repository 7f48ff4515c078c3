import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** A home directory that must stay empty: what turns up in it was meant for the user's own. */
export interface HomeTrap {
  readonly directory: string
  /** Empties the trap and throws if a test put anything into it. */
  check(): Promise<void>
  remove(): Promise<void>
}

/** Variables that would steer an agent or a model of the developer into a test. */
const foreign = /^(ANTHROPIC_|CLAUDE|RETAKE_|CODEX_|GEMINI_|OPENAI_)/

/**
 * Points every variable that leads to the user's home at a fresh trap and forgets the variables
 * of agents that run around the tests (a developer may well start them from inside one).
 */
export async function setHomeTrap(env: NodeJS.ProcessEnv, under: string): Promise<HomeTrap> {
  const directory = await mkdtemp(join(under, 'retake-home-trap-'))
  for (const name of Object.keys(env)) if (foreign.test(name)) delete env[name]
  env['HOME'] = directory
  env['USERPROFILE'] = directory
  env['XDG_CONFIG_HOME'] = join(directory, '.config')
  env['XDG_DATA_HOME'] = join(directory, '.local/share')
  env['XDG_STATE_HOME'] = join(directory, '.local/state')
  env['XDG_CACHE_HOME'] = join(directory, '.cache')
  env['XDG_RUNTIME_DIR'] = join(directory, 'run')
  return {
    directory,
    async check() {
      const caught = (await readdir(directory, { recursive: true })).toSorted()
      if (caught.length === 0) return
      // Emptied, so that one guilty test does not make every later one fail.
      for (const name of await readdir(directory))
        await rm(join(directory, name), { recursive: true, force: true })
      throw new Error(
        `This test reached the user's home: ${caught.join(', ')}. Give the code a scene's places.`,
      )
    },
    remove: () => rm(directory, { recursive: true, force: true }),
  }
}
