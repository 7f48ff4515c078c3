import { useId } from 'react'

interface ChoiceProps<Each extends string> {
  readonly legend: string
  /** The choices with their labels. */
  readonly of: Readonly<Partial<Record<Each, string>>>
  readonly value: Each
  readonly onChange: (value: Each) => void
}

/** A choice between a few options, side by side. */
export function Choice<Each extends string>({ legend, of, value, onChange }: ChoiceProps<Each>) {
  const name = useId()
  return (
    <fieldset className="flex w-fit shrink-0 rounded-lg border border-line bg-sunken p-0.5">
      <legend className="sr-only">{legend}</legend>
      {(Object.keys(of) as Each[]).map((each) => (
        <label
          key={each}
          className="cursor-pointer rounded-md px-3 py-1 text-sm whitespace-nowrap text-muted max-sm:px-2 max-sm:text-xs has-checked:bg-raised has-checked:font-medium has-checked:text-ink has-checked:shadow-low has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={name}
            value={each}
            checked={value === each}
            onChange={() => onChange(each)}
            className="sr-only"
          />
          {of[each]}
        </label>
      ))}
    </fieldset>
  )
}
