import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { durableDisk } from './durable-disk.ts'
import { makePrivateDirectory } from './write-private.ts'

/** A directory for a moment, which only its owner can enter; it goes with all that is in it. */
export interface Scratch extends Disposable {
  readonly path: string
  /** Below it, with the directories that are needed. */
  write(path: string, text: string): void
  makeDirectory(path: string): void
}

export function makeScratch(parent: string): Scratch {
  makePrivateDirectory(durableDisk, parent, [])
  const root = mkdtempSync(`${parent}/scratch-`)
  return {
    path: root,
    write(path, text) {
      mkdirSync(dirname(`${root}/${path}`), { recursive: true })
      writeFileSync(`${root}/${path}`, text, { mode: 0o600 })
    },
    makeDirectory: (path) => void mkdirSync(`${root}/${path}`, { recursive: true }),
    // A program that was killed in it may still be ending, and write.
    [Symbol.dispose]: () =>
      rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  }
}
