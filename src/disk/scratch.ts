import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { durableDisk } from './durable-disk.ts'
import { listDirectory, lstatPath } from './list-directory.ts'
import { makePrivateDirectory } from './write-private.ts'

/** A temporary directory that only its owner can enter. Disposing of it deletes its contents. */
export interface Scratch extends Disposable {
  readonly path: string
  /** Writes a file below it and makes missing directories. */
  write(path: string, text: string): void
  makeDirectory(path: string): void
}

const PREFIX = 'scratch-'
const LEFTOVER_AGE_MS = 60 * 60 * 1000

export function makeScratch(parent: string): Scratch {
  makePrivateDirectory(durableDisk, parent, [])
  dropLeftovers(parent)
  const root = mkdtempSync(`${parent}/${PREFIX}`)
  return {
    path: root,
    write(path, text) {
      mkdirSync(dirname(`${root}/${path}`), { recursive: true })
      writeFileSync(`${root}/${path}`, text, { mode: 0o600 })
    },
    makeDirectory: (path) => void mkdirSync(`${root}/${path}`, { recursive: true }),
    // A killed program may still write into it for a moment, so retry.
    [Symbol.dispose]: () =>
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  }
}

/** Deletes what a killed process left behind. */
function dropLeftovers(parent: string): void {
  for (const { name } of listDirectory(parent)) {
    const path = `${parent}/${name}`
    const isOld = Number(lstatPath(path)?.mtimeMs ?? Infinity) < Date.now() - LEFTOVER_AGE_MS
    if (name.startsWith(PREFIX) && isOld) rmSync(path, { recursive: true, force: true })
  }
}
