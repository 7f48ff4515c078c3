/** Shows the sessions of one agent; nothing if all are of the same one. Empty: of all agents. */
export function AgentFilter({
  marks,
  value,
  onChange,
}: {
  marks: ReadonlyMap<string, string>
  value: string
  onChange: (value: string) => void
}) {
  if (marks.size < 2) return null
  return (
    <div role="group" aria-label="Agents" className="flex gap-1 px-3 pt-1">
      {[['', 'All'] as const, ...marks].map(([id, short]) => (
        <button
          key={id}
          type="button"
          aria-pressed={value === id}
          onClick={() => onChange(id)}
          className={`rounded-md px-2 py-0.5 text-xs ${value === id ? 'bg-accent-soft text-accent' : 'text-muted hover:bg-hover'}`}
        >
          {short}
        </button>
      ))}
    </div>
  )
}
