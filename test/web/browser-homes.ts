/** Makes a directory for the homes of the workers' browsers, and removes it after the run. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    browserHomes: string
  }
}

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const homes = await mkdtemp(join(tmpdir(), 'retake-browsers-'))
  provide('browserHomes', homes)
  return () => rm(homes, { recursive: true, force: true, maxRetries: 5 })
}
