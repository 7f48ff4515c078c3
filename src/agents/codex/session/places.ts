import { listDirectory } from '#disk'

export function sessionsDirectory(home: string): string {
  return `${home}/sessions`
}

export function archivedDirectory(home: string): string {
  return `${home}/archived_sessions`
}

/** The index of threads. Its name has the version of its layout; the newest is in use. */
export function stateDatabase(home: string): string | null {
  const newest = listDirectory(home)
    .flatMap(({ name }) => /^state_(\d{1,4})\.sqlite$/.exec(name) ?? [])
    .filter((text) => /^\d+$/.test(text))
    .map(Number)
    .sort((a, b) => a - b)
    .at(-1)
  return newest === undefined ? null : `${home}/state_${newest}.sqlite`
}
