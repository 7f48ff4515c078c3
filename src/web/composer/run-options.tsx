import { create } from 'zustand'
import type { StatusView } from '#protocol'

/** How the next turns of a session run. Without a choice the session's own options apply. */
export interface RunOptions {
  readonly model?: string
  readonly permissionMode?: string
}

const PREFIX = 'retake.run.'
const useAll = create<{ options: Readonly<Record<string, RunOptions>> }>(() => ({ options: {} }))

export function useRunOptions(session: string): RunOptions {
  return useAll(({ options }) => options[session] ?? stored(session))
}

export function runOptionsOf(session: string): RunOptions {
  return useAll.getState().options[session] ?? stored(session)
}

export function chooseRunOptions(session: string, options: RunOptions): void {
  useAll.setState(({ options: all }) => ({ options: { ...all, [session]: options } }))
  try {
    localStorage.setItem(PREFIX + session, JSON.stringify(options))
  } catch {
    // Storage is full or disabled: the choice lasts until the page closes.
  }
}

const read = new Map<string, RunOptions>()

function stored(session: string): RunOptions {
  const known = read.get(session)
  if (known !== undefined) return known
  let found: RunOptions = {}
  try {
    found = JSON.parse(localStorage.getItem(PREFIX + session) ?? '{}') as RunOptions
  } catch {
    // Not JSON: as if nothing was chosen.
  }
  read.set(session, found)
  return found
}

/** Aliases that the agent resolves to its newest models. */
const MODELS = { opus: 'Opus', sonnet: 'Sonnet', haiku: 'Haiku' }
const DEFAULT = 'Default model'

const MODES = {
  default: 'Ask before changes',
  acceptEdits: 'Edit without asking',
  plan: 'Plan only',
  bypassPermissions: 'Never ask',
}

const SAME = ''

/** Model and permission mode: those of the session, until the user chooses others. */
export function RunOptionFields({
  session,
  status,
  isNew = false,
}: {
  session: string
  status: StatusView | undefined
  /** No session exists yet, so there is no model of its own to show. */
  isNew?: boolean
}) {
  const options = useRunOptions(session)
  const model = status?.model ?? null
  const mode = status?.permissionMode ?? 'default'
  const set = (change: Record<string, string>): void => {
    const kept = Object.entries({ ...options, ...change }).filter(([, value]) => value !== SAME)
    chooseRunOptions(session, Object.fromEntries(kept))
  }
  return (
    <>
      <Field
        label="Model"
        value={options.model ?? SAME}
        onChange={(value) => set({ model: value })}
        options={
          isNew
            ? { [SAME]: DEFAULT, ...MODELS }
            : {
                [SAME]: model === null ? 'Model of the session' : nameOf(model),
                default: DEFAULT,
                ...MODELS,
              }
        }
      />
      <Field
        label="Permission mode"
        value={options.permissionMode ?? SAME}
        warns={(options.permissionMode ?? mode) === 'bypassPermissions'}
        onChange={(value) => set({ permissionMode: value === mode ? SAME : value })}
        options={{
          [SAME]: modeName(mode),
          ...Object.fromEntries(Object.entries(MODES).filter(([each]) => each !== mode)),
        }}
      />
    </>
  )
}

/** Shortens `maker-opus-5-5-20260801` to `opus-5-5`. */
export function nameOf(model: string): string {
  return model.replace(/^[a-z]+-(?=[a-z]+-\d)/, '').replace(/-\d{8}$/, '')
}

function modeName(mode: string): string {
  return Object.hasOwn(MODES, mode) ? MODES[mode as keyof typeof MODES] : mode
}

interface FieldProps {
  readonly label: string
  readonly value: string
  readonly options: Readonly<Record<string, string>>
  readonly warns?: boolean
  readonly onChange: (value: string) => void
}

function Field({ label, value, options, warns = false, onChange }: FieldProps) {
  return (
    <select
      aria-label={label}
      title={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className={`h-6 max-w-24 min-w-0 sm:max-w-40 cursor-pointer truncate rounded-md border border-transparent bg-transparent px-1 text-xs hover:bg-hover ${warns ? 'text-warn' : 'text-muted'}`}
    >
      {Object.entries(options).map(([each, says]) => (
        <option key={each} value={each}>
          {says}
        </option>
      ))}
    </select>
  )
}
