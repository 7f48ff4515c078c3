import { useMemo, useState } from 'react'
import type { PlanView } from '#protocol'
import type { PathChoice } from '#timeline'
import type { Choice, FileView } from './plan-words.ts'

/** The decisions as the server takes them: for a file, or for each conflict in it. */
export type Choices = Readonly<Record<string, PathChoice>>

/** The same while deciding: a conflict may still be open. */
export type Choosing = Choice | readonly (Choice | null)[]

interface Chosen {
  readonly choice: Choosing
  /** Identifies the versions that it chose between. */
  readonly between: string | undefined
}

export interface ChoiceState {
  /** Files that are fully decided. */
  readonly choices: Choices
  readonly choosing: Readonly<Record<string, Choosing>>
  readonly changed: readonly string[]
  readonly choose: (file: FileView, choice: Choice) => void
  readonly choosePlace: (file: FileView, place: number, choice: Choice) => void
}

/**
 * The user's choices for the files in conflict. A new plan may be about other contents: a choice
 * holds only for the contents it was made for, and `changed` lists the files whose choice does not.
 */
export function useChoices(plan: PlanView | null): ChoiceState {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Chosen>>(new Map())
  const state = useMemo(() => {
    const conflicts = plan?.files.filter(({ verb }) => verb === 'conflict') ?? []
    const holds = ({ path, between }: FileView): boolean =>
      chosen.get(path)?.between === between && chosen.has(path)
    const held = conflicts
      .filter(holds)
      .map(({ path }) => [path, chosen.get(path)!.choice] as const)
    return {
      choosing: Object.fromEntries(held),
      choices: Object.fromEntries(
        held.flatMap(([path, choice]) => {
          const whole = decided(choice)
          return whole === null ? [] : [[path, whole]]
        }),
      ),
      changed: conflicts
        .filter((file) => chosen.has(file.path) && !holds(file))
        .map(({ path }) => path),
    }
  }, [plan, chosen])
  const put = ({ path, between }: FileView, choice: (before: Choosing | null) => Choosing): void =>
    setChosen((old) => {
      const before = old.get(path)
      const held = before?.between === between ? (before?.choice ?? null) : null
      return new Map(old).set(path, { choice: choice(held), between })
    })
  return {
    ...state,
    choose: (file, choice) => put(file, () => choice),
    choosePlace: (file, place, choice) =>
      put(file, (before) => withPlace(before, file.conflicts?.length ?? 0, place, choice)),
  }
}

/** Chooses for one conflict; the others keep their choice, or that of the whole file. */
export function withPlace(
  before: Choosing | null,
  places: number,
  place: number,
  choice: Choice,
): Choosing {
  const all = Array.from({ length: places }, (_, at) =>
    typeof before === 'string' ? before : (before?.[at] ?? null),
  )
  return all.with(place, choice)
}

function decided(choice: Choosing): PathChoice | null {
  if (typeof choice === 'string') return choice
  const all = choice.filter((each) => each !== null)
  return all.length === choice.length ? all : null
}
