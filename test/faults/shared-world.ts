import { cliWorld, type CliWorld } from './cli-world.ts'
import { inMemory } from '../house/in-memory.ts'
import { testOperations, makeReady, type Ready } from './operations.ts'

const BASE = 'base'
let made: Promise<CliWorld> | undefined
const ready = new Map<string, Ready>()

/** One world per process, in memory if possible, because playing a session takes seconds. */
export function sharedWorld(): Promise<CliWorld> {
  made ??= (async () => {
    const w = await cliWorld(inMemory())
    w.keep(BASE)
    return w
  })()
  return made
}

export async function endSharedWorld(): Promise<void> {
  if (made === undefined) return
  await (await made)[Symbol.asyncDispose]()
}

export async function readyFor(name: string): Promise<{ w: CliWorld; ready: Ready }> {
  const w = await sharedWorld()
  const operation = testOperations.find((each) => each.name === name)!
  const known = ready.get(name) ?? makeReady(w, operation, BASE)
  ready.set(name, known)
  return { w, ready: known }
}
