import type { Command } from 'commander'
import { listSessions, readLog } from '#engine'
import { Failure } from '#failure'
import { complete } from '../complete.ts'
import type { Context } from '../context.ts'
import { visible } from '../visible.ts'

/** What can stand where the last word is being typed, one a line, each with what it is. */
export function completeWords(context: Context, program: Command, words: readonly string[]): void {
  for (const { value, about } of complete(program, words, knownOf(context)))
    process.stdout.write(`${oneLine(value)}\t${oneLine(about)}\n`)
}

/** A key was pressed in a shell: what cannot be read is not offered, and nothing is said. */
function knownOf({ machine, wanted }: Context) {
  const orNull = <T>(read: () => T): T | null => {
    try {
      return read()
    } catch (error) {
      if (error instanceof Failure) return null
      throw error
    }
  }
  return {
    log: () => orNull(() => readLog(machine, wanted)),
    sessions: () => orNull(() => listSessions(machine, null)) ?? [],
  }
}

function oneLine(text: string): string {
  return visible(text).replaceAll(/\s+/g, ' ').slice(0, 60)
}
