import { useMemo, useState } from 'react'
import type { PlanView } from '#protocol'
import type { Choice, FileView } from './plan-words.ts'

export type Choices = Readonly<Record<string, Choice>>

interface Chosen {
  readonly choice: Choice
  /** What it was a choice between. */
  readonly between: string | undefined
}

/**
 * What somebody chose for the files in conflict. Made again, a plan may be about other contents: a
 * choice holds for the file as it was when it was made, and `changed` names those that do not.
 */
export function useChoices(plan: PlanView | null): {
  readonly choices: Choices
  readonly changed: readonly string[]
  readonly choose: (file: FileView, choice: Choice) => void
} {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Chosen>>(new Map())
  const { choices, changed } = useMemo(() => {
    const conflicts = plan?.files.filter(({ verb }) => verb === 'conflict') ?? []
    const holds = ({ path, between }: FileView): boolean =>
      chosen.get(path)?.between === between && chosen.has(path)
    return {
      choices: Object.fromEntries(
        conflicts.filter(holds).map(({ path }) => [path, chosen.get(path)!.choice]),
      ),
      changed: conflicts
        .filter((file) => chosen.has(file.path) && !holds(file))
        .map(({ path }) => path),
    }
  }, [plan, chosen])
  const choose = ({ path, between }: FileView, choice: Choice): void =>
    setChosen((old) => new Map(old).set(path, { choice, between }))
  return { choices, changed, choose }
}
