import { lstatPath, listDirectory, spellsGit } from '#disk'
import { shellStepsSince } from '#store'
import type { LeftReport, TurnId } from '#timeline'
import { addedTo, type Project } from '../project/index.ts'
import { TICK } from './authors.ts'
import { toolOf } from './steps-told.ts'

const MOST_LOOKED_AT = 20_000
const MOST_NAMED = 20

/**
 * What commands of these turns did in directories that `--add-dir` gave to the agent. Retake takes
 * no snapshots there, so nothing of it is undone. Files whose time lies inside a command are named;
 * the directory is named always, because a deleted file leaves no time.
 */
export function leftInAdded(
  project: Project,
  /** The turns of a plan that ran commands. */
  turns: ReadonlySet<TurnId>,
  /** Paths that the plan itself is about. */
  planned: ReadonlySet<string>,
): LeftReport[] {
  if (turns.size === 0) return []
  const spans = shellStepsSince(project.store, 0).filter(
    ({ turn, tool }) => turn !== null && turns.has(turn) && toolOf(tool).part !== 'asked',
  )
  return addedTo(project).flatMap((directory): LeftReport[] => {
    const changed = filesBelow(directory, project.path, (at) =>
      spans.some(({ began, ended }) => at >= began - TICK && at <= ended + TICK),
    ).filter((path) => !planned.has(path))
    const named = changed.slice(0, MOST_NAMED)
    const more = changed.length - named.length
    const rest = more > 0 ? `, among them ${more} more that changed meanwhile` : ''
    return [
      ...named.map((path) => ({ path, kind: 'outside' as const, why: CHANGED })),
      { path: `${directory}/`, kind: 'outside', why: `${UNKNOWN}${rest}` },
    ]
  })
}

const CHANGED = 'it changed while a command ran, in an added directory, and stays as it is'
const UNKNOWN =
  'commands ran; in this added directory Retake knows only the agent’s own edits, and leaves other files as they are'

/** Files below a directory whose last change fits, the project and git's own files left out. */
function filesBelow(top: string, project: string, fits: (at: number) => boolean): string[] {
  const found: string[] = []
  const open = [top]
  for (let looked = 0; open.length > 0 && looked < MOST_LOOKED_AT;) {
    const directory = open.shift()!
    for (const { name, kind } of listDirectory(directory)) {
      looked++
      const path = `${directory}/${name}`
      if (spellsGit(name) || path === project) continue
      if (kind === 'directory') open.push(path)
      else if (fits(Number(lstatPath(path)?.ctimeNs ?? -1n) / 1e6)) found.push(path)
    }
  }
  return found.sort()
}
