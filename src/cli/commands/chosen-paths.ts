import { resolve } from 'node:path'
import { knownPath, type PlannedOperation, type Project } from '#engine'
import { Failure } from '#failure'
import type { Choice, ProjectPath } from '#timeline'
import type { Context } from '../context.ts'

export const CHOICES = ['stop', 'keep-mine', 'put-back', 'mark']

interface GivenChoice {
  readonly path: string
  readonly choice: Choice
}

export function readChoices(given: readonly string[]): GivenChoice[] {
  return given.map((text) => {
    const at = text.lastIndexOf('=')
    const choice = text.slice(at + 1)
    if (at < 1 || choice === 'stop' || !CHOICES.includes(choice))
      throw new Failure('usage', '`--choose` takes PATH=keep-mine, PATH=put-back or PATH=mark.')
    return { path: text.slice(0, at), choice: choice as Choice }
  })
}

/** Accepts paths as the plan prints them, or relative to the current directory. */
export function findChosen(
  { machine }: Context,
  project: Project,
  { plan }: Pick<PlannedOperation, 'plan'>,
  given: readonly GivenChoice[],
): Map<ProjectPath, Choice> {
  const paths = new Set(plan.files.map(({ path }) => path))
  return new Map(
    given.map(({ path, choice }) => {
      const found = [project.path, machine.places.cwd]
        .map((from) => knownPath(project, resolve(from, path)))
        .find((each) => each !== null && paths.has(each))
      if (found != null) return [found, choice]
      const files = [...paths].slice(0, 5).join(', ')
      throw new Failure('path-not-known', `The plan does not change ${path}.`, {
        hint:
          paths.size === 0
            ? 'The plan changes no files.'
            : `Its files: ${files}${paths.size > 5 ? ' …' : ''}.`,
      })
    }),
  )
}
