import { type Disk, nameBytes, readSmallFile, removeIfExists, statPath, writeOnce } from '#disk'
import { Failure } from '#failure'
import type { Machine, Places } from '../ground/index.ts'

const MARK = '# Written by `retake install --launcher`; `retake uninstall` removes it.'
const MAX_BYTES = 64 * 1024

/** A `retake` on the PATH: programs such as an agent's `mcp add` do not see aliases. */
export interface LauncherPlan {
  readonly path: string
  readonly text: string
  readonly change: 'add' | 'update' | 'remove' | 'none'
  /** Whether its directory is on the PATH. */
  readonly onPath: boolean
  apply(): void
}

export function launcherText(self: readonly string[]): string {
  const words = self.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')
  return `#!/bin/sh\n${MARK}\nexec ${words} "$@"\n`
}

export function planLauncher({ places, disk }: Machine): LauncherPlan {
  const { path, found, onPath } = checkLauncher(places)
  const text = launcherText(places.self)
  if (found !== null && !found.includes(MARK))
    throw new Failure('settings-invalid', `${path} exists already and was not written by Retake.`, {
      hint: 'Move it away, or call Retake by another name.',
    })
  const change = found === text ? 'none' : found === null ? 'add' : 'update'
  return { path, text, change, onPath, apply: () => writeLauncher(disk, places, path, text) }
}

/** Removes only a launcher that Retake wrote. */
export function planLauncherRemoval({ places, disk }: Machine): LauncherPlan | null {
  const { path, found, onPath } = checkLauncher(places)
  if (found === null || !found.includes(MARK)) return null
  const apply = (): void => void removeIfExists(disk, nameBytes(path))
  return { path, text: found, change: 'remove', onPath, apply }
}

export function makeExecutable(disk: Disk, path: string): void {
  const file = disk.openFile(nameBytes(path))
  try {
    disk.changeMode(file, 0o755)
  } finally {
    disk.close(file)
  }
}

function checkLauncher({ home, programs }: Places) {
  const directory = `${home}/.local/bin`
  const path = `${directory}/retake`
  const found =
    statPath(path) === null ? null : (readSmallFile(path, MAX_BYTES)?.toString('utf8') ?? '')
  return { path, found, onPath: programs.includes(directory) }
}

function writeLauncher(disk: Disk, { home }: Places, path: string, text: string): void {
  for (const part of ['.local', '.local/bin'])
    if (statPath(`${home}/${part}`) === null)
      disk.makeDirectory(nameBytes(`${home}/${part}`), 0o755)
  removeIfExists(disk, nameBytes(path))
  writeOnce(disk, `${home}/.local/bin`, 'retake', Buffer.from(text))
  makeExecutable(disk, path)
}
