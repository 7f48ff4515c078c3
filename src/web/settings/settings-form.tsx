import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SettingBody, SettingsView } from '#protocol'
import { client, failureFrom } from '../connection/connection.ts'
import { queries } from '../connection/queries.ts'
import { Failed } from '../plan/failed.tsx'
import { Button } from '../ui/button.tsx'
import { InlineCode } from '../plan/inline-code.tsx'
import { Choice } from '../ui/choice.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { notify } from '../ui/toasts.tsx'
import { size } from './size.ts'

interface Field {
  readonly key: SettingBody['key']
  readonly label: string
  readonly hint: string
  /** A choice between these, instead of free text. */
  readonly choices?: Readonly<Record<string, string>>
  readonly show: (settings: SettingsView['settings']) => string
}

/** Values are shown and entered as on the command line. */
const FIELDS: readonly Field[] = [
  {
    key: 'include',
    label: 'Git-ignored files to record anyway',
    hint: 'patterns as in .gitignore, separated by spaces',
    show: ({ include }) => include.join(' '),
  },
  {
    key: 'maxFileSize',
    label: 'Largest file to record',
    hint: 'such as 50 MB',
    show: ({ maxFileSize }) => size(maxFileSize),
  },
  {
    key: 'quota',
    label: 'Storage limit',
    hint: 'such as 5 GB',
    show: ({ quota }) => size(quota),
  },
  {
    key: 'retention',
    label: 'Days that operations can be undone',
    hint: 'a clean-up deletes older ones',
    show: ({ retention }) => String(retention),
  },
  {
    key: 'branchLimit',
    label: 'Maximum branches per session',
    hint: 'branches are never deleted automatically',
    show: ({ branchLimit }) => String(branchLimit),
  },
  {
    key: 'branchWarning',
    label: 'Warn at this many branches',
    hint: '',
    show: ({ branchWarning }) => String(branchWarning),
  },
  {
    key: 'autoArchiveDays',
    label: 'Archive unused branches after this many days',
    hint: 'or “never”',
    show: ({ autoArchiveDays }) => (autoArchiveDays === null ? 'never' : String(autoArchiveDays)),
  },
  {
    key: 'voice',
    label: 'Speech on the page',
    hint: 'sends what you say to the speech service; reload the page after a change',
    choices: { on: 'On', off: 'Off' },
    show: ({ voice }) => (voice ? 'on' : 'off'),
  },
  {
    key: 'plainUndo',
    label: 'Treat a prompt that is only “undo” as a command',
    hint: 'in your agent, with the plugin or hooks',
    choices: { on: 'On', off: 'Off' },
    show: ({ plainUndo }) => (plainUndo ? 'on' : 'off'),
  },
]

const KEY = ['settings']

/** Everything in `retake settings` that can be changed from here. */
export function SettingsForm() {
  const { data, error, refetch } = useQuery({
    queryKey: KEY,
    queryFn: () => client().settings({}),
    staleTime: 0,
    retry: false,
  })
  if (error !== null && data === undefined)
    return <Failed failure={failureFrom(error)} onRetry={() => void refetch()} />
  if (data === undefined) return <p className="text-sm text-muted">Reading…</p>
  return (
    <>
      <div className="overflow-hidden rounded-lg border border-line bg-surface">
        {FIELDS.map((field) => (
          <FieldLine key={`${field.key} ${field.show(data.settings)}`} field={field} view={data} />
        ))}
      </div>
      <p className="text-xs text-muted">
        Stored in <code className="font-mono break-all">{data.path}</code>
        <CopyButton text={data.path} what="path" small />
        <br />
        <InlineCode text="`retake settings` shows the same in a terminal." />
      </p>
    </>
  )
}

const lineClass =
  'flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2 text-sm not-first:border-t not-first:border-line'

function FieldLine({ field, view }: { field: Field; view: SettingsView }) {
  const { key: name, label, hint, choices, show } = field
  const now = show(view.settings)
  const [text, setText] = useState(now)
  const save = useMutation({
    mutationFn: (words: string[]) => client().changeSetting({ key: name, words }),
    onSuccess(changed) {
      queries.setQueryData(KEY, changed)
      void queries.invalidateQueries({ queryKey: ['time', 'storage'] })
      notify({ kind: 'done', title: `Saved: ${label.toLowerCase()}` })
    },
  })
  const wrong = view.wrong.find(({ key }) => key === name)
  const words = (
    <span className="min-w-60 flex-1">
      {label}
      {hint !== '' && <span className="block text-xs text-muted">{hint}</span>}
    </span>
  )
  const failed = (save.error !== null || wrong !== undefined) && (
    <p role="alert" className="w-full text-xs text-removed">
      {save.error === null ? `It must be ${wrong?.must}.` : failureFrom(save.error).message}
    </p>
  )
  if (choices !== undefined)
    return (
      <div className={lineClass}>
        {words}
        <Choice legend={label} of={choices} value={now} onChange={(next) => save.mutate([next])} />
        {failed}
      </div>
    )
  return (
    <form
      className={lineClass}
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate(name === 'include' ? text.split(/\s+/).filter(Boolean) : [text.trim()])
      }}
    >
      <label className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
        {words}
        <input
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="h-8 w-44 rounded-md border border-line-strong bg-bg px-2 text-sm"
        />
      </label>
      <Button
        type="submit"
        size="small"
        aria-label={`Save: ${label}`}
        unavailable={text.trim() === now ? 'Nothing to save.' : undefined}
      >
        Save
      </Button>
      {failed}
    </form>
  )
}
