import { useId } from 'react'
import type { VersionsView } from '#protocol'
import { countLines } from '../turns/count-lines.ts'
import { Lines } from '../ui/badge.tsx'
import { Key } from '../ui/key.tsx'
import { count } from '../words.ts'
import { CHOICES, choiceLabel, type Choice, type FileView } from './plan-words.ts'
import type { Choosing } from './use-choices.ts'

interface ConflictChoiceProps {
  readonly file: FileView
  /** Tells whether the plan's version is older or newer than the user's. */
  readonly verb: string
  readonly choice: Choosing | undefined
  readonly onChoose: (choice: Choice) => void
  /** What each choice would write, if known; then keys choose as well. */
  readonly outcomes?: VersionsView['outcomes']
}

/** The choices for a file in conflict. */
export function ConflictChoice({ file, verb, choice, onChoose, outcomes }: ConflictChoiceProps) {
  const name = useId()
  return (
    <fieldset className="flex flex-col gap-1 text-sm">
      <legend className="sr-only">What to do with {file.path}</legend>
      {(file.choices ?? []).map((each) => {
        const hunks = outcomes?.find((outcome) => outcome.choice === each)?.hunks ?? null
        return (
          <label key={each} className="flex cursor-pointer items-baseline gap-2">
            <input
              type="radio"
              name={name}
              checked={choice === each}
              onChange={() => onChoose(each)}
              className="translate-y-0.5 accent-accent"
            />
            <span className="min-w-0">
              <span className="font-medium">{choiceLabel(each, verb)}</span>
              <span className="text-muted">{CHOICES[each].says}</span>
            </span>
            {outcomes !== undefined && (
              <>
                <Key>{CHOICES[each].shortcut}</Key>
                <Lines {...countLines({ path: file.path, hunks })} />
              </>
            )}
          </label>
        )
      })}
      {choice !== undefined && typeof choice !== 'string' && (
        <p role="status" className="text-xs text-muted">
          {placesLeft(choice)}
        </p>
      )}
    </fieldset>
  )
}

function placesLeft(choice: readonly (Choice | null)[]): string {
  const left = choice.filter((each) => each === null).length
  return left === 0
    ? 'Chosen for each conflict.'
    : `Chosen for each conflict: ${count(left, 'conflict')} left.`
}
