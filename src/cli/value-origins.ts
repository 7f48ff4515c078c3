import { readSettings, settingKeys, type Machine } from '#engine'
import { Failure } from '#failure'
import type { DoctorView } from '#protocol'
import type { Environment } from './environment.ts'

type Value = DoctorView['values'][number]

/** Every effective value and its origin: a variable, the settings file, or the default. */
export function valueOrigins(
  machine: Machine,
  environment: Environment,
  env: NodeJS.ProcessEnv,
): Value[] {
  return [...settingsFrom(machine), ...variablesFrom(machine, environment, env)]
}

function settingsFrom(machine: Machine): Value[] {
  try {
    const { settings, said, wrong, path } = readSettings(machine)
    // An invalid value is ignored, so the default applies.
    const unusable = new Set(wrong.map(({ key }) => key))
    const used = new Set(said.filter((key) => !unusable.has(key)))
    return settingKeys.map((key) => {
      const isSaid = used.has(key)
      const value = settings[key]
      return {
        name: key,
        value: Array.isArray(value) ? [...(value as string[])] : (value as Value['value']),
        from: isSaid ? 'user' : 'default',
        where: isSaid ? path : null,
      }
    })
  } catch (error) {
    // `doctor` reports the broken settings file as a finding.
    if (error instanceof Failure) return []
    throw error
  }
}

function variablesFrom(
  { agents }: Machine,
  environment: Environment,
  env: NodeJS.ProcessEnv,
): Value[] {
  const { places, colour, pager } = environment
  const directories = agents.flatMap((agent) => agent.directories)
  /** `where` is the first variable that is set. */
  const one = (name: string, value: Value['value'], variables: readonly string[]): Value => {
    // The XDG specification says to ignore relative paths.
    const isSaid = (variable: string): boolean =>
      variable.startsWith('XDG_') ? env[variable]?.startsWith('/') === true : !!env[variable]
    const where = variables.find(isSaid) ?? null
    return { name, value, from: where === null ? 'default' : 'environment', where }
  }
  return [
    ...directories.map(({ name, path, variable }) => one(name, path, [variable])),
    one('config', places.config, ['XDG_CONFIG_HOME']),
    one('data', places.data, ['XDG_DATA_HOME']),
    one('cache', places.cache, ['XDG_CACHE_HOME']),
    one('state', places.state, ['XDG_STATE_HOME']),
    one('runtime', places.runtime, ['XDG_RUNTIME_DIR', 'XDG_STATE_HOME']),
    one('colour', colour, ['NO_COLOR', 'FORCE_COLOR', 'CLICOLOR']),
    one('pager', pager, ['PAGER']),
  ]
}
