import type { Command } from 'commander'
import {
  findLosses,
  listSessions,
  nameSession,
  openKnownProject,
  readOperations,
  readSession,
  readStash,
  readTree,
  settingKeys,
  type Machine,
  type SessionQuery,
} from '#engine'
import { Failure } from '#failure'
import { complete, type Candidate } from '../complete.ts'
import type { Context } from '../context.ts'
import { visible } from '../visible.ts'

/**
 * Prints the completions of the last word, one per line with a description. With `files`, the first
 * line is `files` if a file name fits there, else `none`.
 */
export function completeWords(
  context: Context,
  program: Command,
  words: readonly string[],
  { files = false }: { readonly files?: boolean },
): void {
  const found = complete(program, words, knownOf(context))
  if (files) process.stdout.write(found.files ? 'files\n' : 'none\n')
  for (const { value, about } of found.candidates)
    process.stdout.write(`${oneLine(value)}\t${oneLine(about)}\n`)
}

/** Runs on Tab: unreadable data gives no candidates, because an error would garble the line. */
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
    tree: () => orNull(() => readTree(machine, wanted)),
    sessions: () => orNull(() => listSessions(machine, null)) ?? [],
    operations: () => orNull(() => operationsHere(machine, wanted)) ?? [],
    stash: () =>
      (orNull(() => readStash(machine, readSession(machine, wanted))) ?? []).map(
        ({ id, turns }) => ({
          value: String(id),
          about: turns[0]?.turn.prompt ?? '',
        }),
      ),
    lost: () =>
      (orNull(() => findLosses(machine, null)) ?? []).map(({ session, title }) => ({
        value: session,
        about: title,
      })),
    settings: () => settingKeys.map((value) => ({ value, about: '' })),
  }
}

function operationsHere(machine: Machine, wanted: SessionQuery): Candidate[] {
  using project = openKnownProject(machine, nameSession(machine, wanted).project)
  if (project === null) return []
  return readOperations(project).map(({ id, verb, at }) => ({
    value: String(id),
    about: `${verb}, ${at.slice(0, 16).replace('T', ' ')}`,
  }))
}

function oneLine(text: string): string {
  return visible(text).replaceAll(/\s+/g, ' ').slice(0, 60)
}
