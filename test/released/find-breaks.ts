import type { Surface } from './public-surface.ts'

/** What a program that works with `old` can no longer rely on. */
export function findBreaks(old: Surface, now: Surface): string[] {
  return [
    ...gone('error code', old.codes, now.codes),
    ...gone('route', old.routes, now.routes),
    ...gone('plugin command', old.plugin, now.plugin),
    ...Object.entries(old.commands).flatMap(([name, words]) => {
      const present = now.commands[name]
      if (present === undefined) return [`command ${name} is gone`]
      return [
        ...gone(`${name}:`, words.filter(isOption), present),
        ...present
          .filter((word) => word.startsWith('<') && !words.includes(word))
          .map((word) => `${name}: ${word} is required now`),
      ]
    }),
    ...Object.entries(old.schemas).flatMap(([id, schema]) =>
      id in now.schemas ? narrowed(id, schema, now.schemas[id]) : [`schema ${id} is gone`],
    ),
  ]
}

/** A new major version, or a new minor one before 1.0, may break what it likes. */
export function mayBreak(old: string, now: string): boolean {
  const [was, is] = [old, now].map((version) => version.split('.').map(Number))
  return is![0]! > was![0]! || (was![0] === 0 && is![0] === 0 && is![1]! > was![1]!)
}

const isOption = (word: string): boolean => word.startsWith('-')

function gone(what: string, old: readonly string[], now: readonly string[]): string[] {
  return old.filter((each) => !now.includes(each)).map((each) => `${what} ${each} is gone`)
}

/**
 * Output may gain fields. A field that was always there must stay, keep its type, and take no value
 * that old programs do not know.
 */
function narrowed(at: string, old: unknown, now: unknown): string[] {
  if (!isObject(old)) return JSON.stringify(old) === JSON.stringify(now) ? [] : [`${at} changed`]
  if (!isObject(now)) return [`${at} is gone`]
  return [
    ...gone(`${at}: required`, strings(old['required']), strings(now['required'])),
    ...['type', 'enum', 'const'].flatMap((key) => {
      const extra = strings(now[key]).filter((each) => !strings(old[key]).includes(each))
      return key in old && extra.length > 0 ? [`${at}: ${key} has ${extra.join(', ')}`] : []
    }),
    ...['type', 'enum', 'const', '$ref'].flatMap((key) =>
      key in old && !(key in now) ? [`${at}: ${key} is gone`] : [],
    ),
    ...['properties', '$defs'].flatMap((key) =>
      Object.entries(isObject(old[key]) ? old[key] : {}).flatMap(([name, value]) => {
        const present = isObject(now[key]) ? now[key][name] : undefined
        return present === undefined ? [`${at}.${name} is gone`] : narrowed(`${at}.${name}`, value, present) // prettier-ignore
      }),
    ),
    ...(isObject(old['items']) ? narrowed(`${at}[]`, old['items'], now['items']) : []),
  ]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function strings(value: unknown): string[] {
  if (value === undefined) return []
  return (Array.isArray(value) ? value : [value]).map(String)
}
